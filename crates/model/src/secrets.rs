//! Removes passwords and tokens from text that a user has typed, before it is stored or shown. They may occur
//! in URLs of any scheme, also percent-encoded, and in lists such as `host=a password=b`. In doubt, more is
//! removed than necessary.

use std::borrow::Cow;

/// URL schemes in which the user name alone may be a token.
const OF_THE_WEB: [&str; 4] = ["http", "https", "git+http", "git+https"];

/// Lower-case names of parameters whose values are secrets.
const SECRETS: [&str; 18] = [
    "password",
    "passwd",
    "pwd",
    "pass",
    "passfile",
    "passphrase",
    "sslpassword",
    "sslkey",
    "token",
    "access_token",
    "private_token",
    "auth_token",
    "api_key",
    "apikey",
    "access_key",
    "secret",
    "client_secret",
    "secret_key",
];

/// Known database parameters. A `?` starts a query if only these and [`SECRETS`] follow it. Otherwise it may
/// belong to a password.
const KNOWN: [&str; 22] = [
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "schema",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "application_name",
    "options",
    "connect_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "tcp_user_timeout",
    "target_session_attrs",
    "channel_binding",
    "load_balance_hosts",
    "sslnegotiation",
    "service",
];

/// Maximum number of question marks to examine in a URL, because an arbitrary text may contain any
/// number.
const MOST_MARKS: usize = 100;

/// Returns a word of the command line without its secrets.
pub fn word_without_secrets(word: &str) -> Cow<'_, str> {
    without(word, |rest| rest.len())
}

/// Returns a text without the secrets of the URLs in it. A URL ends at whitespace or a quote.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    without(text, |rest| {
        rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>'))
            .unwrap_or(rest.len())
    })
}

/// Returns a text without the secrets of its URLs and `name=value` pairs. `length` returns the length of
/// the rest of a URL, given the text after its `://`.
fn without(text: &str, length: impl Fn(&str) -> usize) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, address) = (&rest[..at], &rest[at + 3..]);
        let scheme = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
        let scheme =
            scheme.map_or(before, |at| before[at..].trim_start_matches(|c: char| !c.is_ascii_alphanumeric()));
        let (own, behind) = address.split_at(length(address));
        out.push_str(&pairs(before));
        out.push_str("://");
        out.push_str(&address_without(&scheme.to_ascii_lowercase(), own));
        rest = behind;
    }
    match pairs(rest) {
        Cow::Borrowed(_) if out.is_empty() => Cow::Borrowed(text),
        last => Cow::Owned(out + &last),
    }
}

/// Returns the part of a URL after `://`, without secrets.
fn address_without(scheme: &str, text: &str) -> String {
    let (place, query) = parts(text);
    let place = match scheme {
        "file" => place.to_owned(),
        web if OF_THE_WEB.contains(&web) => {
            // A host name cannot contain `@`, but a path can.
            let (host, path) = place.split_at(place.find(['/', '#']).unwrap_or(place.len()));
            format!("{}{path}", host.rsplit('@').next().unwrap_or_default())
        }
        _ => match place.rsplit_once('@') {
            Some((who, host)) => format!("{}@{host}", who.split(':').next().unwrap_or_default()),
            // A password without an `@` after it looks like an invalid port.
            None => bare(place).unwrap_or(place).to_owned(),
        },
    };
    let query = query.map_or(String::new(), |query| {
        let kept: Vec<&str> = query.split('&').filter(|pair| !is_secret(pair)).collect();
        if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) }
    });
    place + &query
}

/// Splits a URL into location and query. A password may contain unencoded `?`, `/` and `@`.
fn parts(text: &str) -> (&str, Option<&str>) {
    let split = |at: usize| (&text[..at], Some(&text[at + 1..]));
    let marks = || text.match_indices('?').map(|(at, _)| at);
    let first = || marks().take(MOST_MARKS);
    let reads = |at: &usize| {
        let mut pairs = text[at + 1..].split('&').filter(|pair| !pair.is_empty());
        pairs.all(|pair| is_secret(pair) || KNOWN.contains(&&*name(pair)))
    };
    let has_place = !text.starts_with(['/', '?']);
    let behind = text.rfind('@').filter(|_| has_place).unwrap_or(0);
    let reads = |at: &usize| {
        let is_password =
            bare(&text[..*at]).is_some() && !text[..*at].contains('@') && text[*at..].contains('@');
        reads(at) && !is_password
    };
    let at = first().find(reads).or_else(|| marks().find(|at| *at >= behind));
    at.map_or((text, None), split)
}

/// Returns the user name of a location such as `name:password`, in which no `@` follows the password, so
/// that the password looks like an invalid port. Returns `None` for any other location.
fn bare(place: &str) -> Option<&str> {
    let (name, port) = place.split_once(':')?;
    (!place.starts_with('[') && !name.contains('/') && !is_port(port)).then_some(name)
}

/// Returns true if a text is a port: a number, followed by characters that may follow a port.
fn is_port(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.is_empty() || (rest.len() < text.len() && rest.starts_with(['/', ',', '#', '?']))
}

/// Returns the name in `name=value`, in lower case and percent-decoded.
fn name(pair: &str) -> String {
    decoded(pair.split('=').next().unwrap_or_default()).trim().to_ascii_lowercase().replace('-', "_")
}

fn is_secret(pair: &str) -> bool {
    SECRETS.contains(&&*name(pair))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Replaces the value of `password` or a similar key with `*`, in a text such as `host=a password='b c'`.
fn pairs(text: &str) -> Cow<'_, str> {
    const ASKED: [&str; 4] = ["password", "sslpassword", "passfile", "passwd"];
    let lower = text.to_ascii_lowercase();
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in lower.match_indices('=') {
        let key = lower[..at].trim_end();
        let is_whole = |word: &&str| {
            let before = key.strip_suffix(*word).map(|rest| rest.chars().next_back());
            before.is_some_and(|last| last.is_none_or(|c| !(c.is_alphanumeric() || "-_.".contains(c))))
        };
        if at < done || !ASKED.iter().any(is_whole) {
            continue;
        }
        let blanks = text[at + 1..].len() - text[at + 1..].trim_start().len();
        let from = at + 1 + blanks;
        let value = &text[from..];
        let end = match value.strip_prefix('\'') {
            Some(quoted) => quoted.find('\'').map_or(value.len(), |end| end + 2),
            None => value.find(char::is_whitespace).unwrap_or(value.len()),
        };
        if end > 0 {
            out.push_str(&text[done..from]);
            out.push('*');
            done = from + end;
        }
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[done..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (text, shown) in [
            ("postgresql://ann:secret@h/x", "postgresql://ann@h/x"),
            ("--store=postgres://ann:se@cr/et@h:1/x?a=b", "--store=postgres://ann@h:1/x?a=b"),
            ("postgresql:///x?host=/s@x&password=secret", "postgresql:///x?host=/s@x"),
            ("postgresql:///x?password=secret", "postgresql:///x"),
            ("a folder:x@y", "a folder:x@y"),
            ("postgresql://ann@h:5432/x?sslmode=require", "postgresql://ann@h:5432/x?sslmode=require"),
            ("postgresql://[::1]:5432/x", "postgresql://[::1]:5432/x"),
            ("postgresql://a:1,b:2/x", "postgresql://a:1,b:2/x"),
        ] {
            assert_eq!(word_without_secrets(text), shown);
        }
    }

    #[test]
    fn however_it_is_spelt() {
        for text in [
            "postgresql://ann:se?cr%65t@h/x",
            "postgresql://ann:sec?ret=1@h/x?sslmode=require",
            "postgresql://ann:a b?host=secret@h/x",
            "postgresql://h/x?p%61ssword=secret&user=ann",
            "postgresql://h/x?user=ann&PassWord=secret",
            "postgresql://h/x?%50ASSWORD=secret",
            "POSTGRES://ann:secret@h/x",
            "postgresql://ann:secret",
            "postgresql://ann:secret?host=/s",
            "postgresql://h/x?passfile=/secret&sslpassword=secret&sslkey=secret",
            "host=h user=ann password=secret dbname=x",
            "host=h PASSWORD = 'secret secret' user=ann",
            "https://secret@git.example/a/b",
            "base@https://ann:secret@git.example/a/b",
            "https://git.example/a?private_token=secret",
            "https://git.example/a?x=1&Access-Token=secret",
            "amqp://ann:secret@h",
        ] {
            let shown = word_without_secrets(text);
            assert!(!shown.contains("secret") && !shown.contains("se?cr"), "{text}: {shown}");
        }
    }

    #[test]
    fn a_text_keeps_what_stands_around_an_address() {
        assert_eq!(
            without_secrets("no store at `postgres://a:b@h/x`: see https://t@w.example/y, or a@b.example"),
            "no store at `postgres://a@h/x`: see https://w.example/y, or a@b.example"
        );
        assert!(matches!(without_secrets("-x base@v1 n=1"), Cow::Borrowed(_)));
        for text in [
            "at file:///a/@b/x.bench.mjs:2:6",
            "at http://localhost:8080/@fs/x.js:2:6?v=1",
            "https://host.example/@scope/package#a@b",
            "listening on tcp://127.0.0.1:80",
            "node:internal/x:1:2 a://b",
        ] {
            assert_eq!(without_secrets(text), text);
        }
        assert_eq!(
            without_secrets("git@github.example:a/b ssh://git@h/x"),
            "git@github.example:a/b ssh://git@h/x"
        );
    }

    /// A quadratic algorithm would take hours.
    #[test]
    fn a_long_text_takes_time_by_its_length() {
        for unit in ["?", "?a=b", "&", "password=", "x://", ":", "@", "%"] {
            let text = format!("x://{}", unit.repeat(200_000));
            assert!(!without_secrets(&text).is_empty(), "{unit}");
        }
    }
}
