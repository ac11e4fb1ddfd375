//! The address of a database. `tokio-postgres` parses it. This module adds the environment, the password
//! file, certificate verification and the schema.

use super::fault::PgError;
use super::scheme;
use derny_model::secrets::word_without_secrets;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// Default folders of server sockets.
const SOCKETS: [&str; 3] = ["/run/postgresql", "/var/run/postgresql", "/tmp"];

/// The encryption of a connection, as in libpq's `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// Not encrypted.
    Disable,
    /// Encrypted if the server supports it.
    Prefer,
    /// Encrypted, with any certificate unless trusted ones are given.
    Require,
    /// Encrypted, with a certificate signed by a trusted authority.
    VerifyCa,
    /// As [`Encryption::VerifyCa`], with a certificate that is valid for the host.
    VerifyFull,
}

/// The address of a database. Formatting it omits the password.
#[derive(Clone)]
pub struct Address {
    config: Config,
    pub schema: String,
    pub encryption: Encryption,
    pub roots: Option<PathBuf>,
    shown: String,
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Address {
    /// Parses an address. `env` supplies parts that are missing: `PGHOST`, `PGPASSWORD` and so on.
    pub fn parse(text: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<Address, PgError> {
        let env = |name: &str| env(name).filter(|value| !value.is_empty());
        let plain_scheme = scheme(text).map(|scheme| format!("{scheme}{}", &text[scheme.len()..]));
        let (own, rest) = extra_parameters(plain_scheme.as_deref().unwrap_or(text));
        let mut config: Config = rest.parse().map_err(|error| PgError::address(in_words(&error)))?;
        let schema = own.schema.unwrap_or_else(|| "derny".into());
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !schema.starts_with(|c: char| c.is_ascii_lowercase()) || !schema.chars().all(plain) {
            return Err(PgError::address(
                "a schema name may only contain lower-case letters, digits and `_`".into(),
            ));
        }
        let asked = own.sslmode.or_else(|| env("PGSSLMODE")).map(|mode| encryption(&mode)).transpose()?;
        let roots = own.sslrootcert.or_else(|| env("PGSSLROOTCERT")).map(PathBuf::from);
        complete(&mut config, &env)?;
        if config.get_password().is_none()
            && let Some(password) = env("PGPASSWORD").or_else(|| password_file(&config, &env))
        {
            config.password(password);
        }
        let encryption = settled(asked, &config, roots.is_some());
        config.ssl_mode(match encryption {
            Encryption::Disable => SslMode::Disable,
            Encryption::Prefer => SslMode::Prefer,
            _ => SslMode::Require,
        });
        let shown = word_without_secrets(text).into_owned();
        Ok(Address { config, schema, encryption, roots, shown })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn within(&self, most: Duration) -> Address {
        let mut other = self.clone();
        other.config.connect_timeout(most.min(self.config.get_connect_timeout().copied().unwrap_or(most)));
        other
    }

    pub fn user(&self) -> &str {
        self.config.get_user().unwrap_or("this user")
    }

    pub fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or(self.user())
    }

    pub fn place(&self) -> String {
        let host = |host: &Host| match host {
            Host::Unix(folder) => folder.display().to_string(),
            Host::Tcp(name) => name.clone(),
        };
        let ports = self.config.get_ports();
        let all = self.config.get_hosts().iter().enumerate();
        let all = all
            .map(|(at, one)| format!("{}:{}", host(one), ports.get(at).or(ports.first()).unwrap_or(&5432)));
        all.collect::<Vec<String>>().join(", ")
    }
}

/// Returns the encryption to use. An attacker on the network could pretend that the server does not support
/// encryption, and read the traffic. Remote hosts therefore require it, unless the address disables it.
fn settled(asked: Option<Encryption>, config: &Config, has_roots: bool) -> Encryption {
    let is_socket = |host: &Host| matches!(host, Host::Unix(_));
    let is_here = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
            name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
        }
    };
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    let all_here = hosts.iter().all(is_here) && addresses.iter().all(IpAddr::is_loopback);
    match asked {
        _ if addresses.is_empty() && hosts.iter().all(is_socket) => Encryption::Disable,
        None | Some(Encryption::Prefer) if all_here => Encryption::Prefer,
        None if has_roots => Encryption::VerifyFull,
        None | Some(Encryption::Prefer) => Encryption::Require,
        Some(asked) => asked,
    }
}

#[derive(Default)]
struct ExtraParameters {
    schema: Option<String>,
    sslmode: Option<String>,
    sslrootcert: Option<String>,
}

fn extra_parameters(text: &str) -> (ExtraParameters, String) {
    let mut own = ExtraParameters::default();
    // Search after the password, which may contain question marks.
    let begin = text.find('@').unwrap_or(0);
    let Some(mark) = text[begin..].find('?') else { return (own, text.to_owned()) };
    let (place, query) = (&text[..begin + mark], &text[begin + mark + 1..]);
    let mut rest = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("schema", name)) => own.schema = Some(name.to_owned()),
            Some(("sslmode", mode)) => own.sslmode = Some(mode.to_owned()),
            Some(("sslrootcert", file)) => own.sslrootcert = Some(file.to_owned()),
            _ => rest.push(pair),
        }
    }
    (own, format!("{place}?{}", rest.join("&")).trim_end_matches('?').to_owned())
}

/// Fills in missing parts from the environment, as other PostgreSQL programs do.
fn complete(config: &mut Config, env: &dyn Fn(&str) -> Option<String>) -> Result<(), PgError> {
    let number = |text: String, what: &str| {
        text.parse::<u16>().map_err(|_| PgError::address(format!("`{text}` is not a {what}")))
    };
    let port = env("PGPORT").map(|text| number(text, "port number")).transpose()?;
    if config.get_hosts().is_empty() {
        let host = env("PGHOST").unwrap_or_else(|| default_host(port.unwrap_or(5432)));
        config.host(&host);
    }
    if config.get_ports().is_empty()
        && let Some(port) = port
    {
        config.port(port);
    }
    if config.get_user().is_none()
        && let Some(user) = ["PGUSER", "USER", "LOGNAME"].into_iter().find_map(env)
    {
        config.user(user);
    }
    if config.get_dbname().is_none()
        && let Some(name) = env("PGDATABASE")
    {
        config.dbname(name);
    }
    if config.get_connect_timeout().is_none() {
        let seconds = env("PGCONNECT_TIMEOUT").map(|text| number(text, "number of seconds")).transpose()?;
        config.connect_timeout(Duration::from_secs(seconds.unwrap_or(10).into()));
    }
    config.application_name("derny");
    Ok(())
}

/// Formats an error of `tokio-postgres` together with its cause.
fn in_words(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

fn encryption(mode: &str) -> Result<Encryption, PgError> {
    Ok(match mode {
        "disable" => Encryption::Disable,
        "allow" | "prefer" => Encryption::Prefer,
        "require" => Encryption::Require,
        "verify-ca" => Encryption::VerifyCa,
        "verify-full" => Encryption::VerifyFull,
        other => {
            return Err(PgError::address(format!(
                "no sslmode `{other}`; the modes are: disable, prefer, require, verify-ca, verify-full"
            )));
        }
    })
}

/// Returns the folder that contains the server's socket, or else `localhost`.
fn default_host(port: u16) -> String {
    let has = |folder: &&&str| PathBuf::from(folder).join(format!(".s.PGSQL.{port}")).exists();
    SOCKETS.iter().find(has).map_or("localhost", |folder| *folder).to_owned()
}

/// Returns the password for this connection from the user's password file. A line is
/// `host:port:database:user:password`, in which `*` matches anything.
fn password_file(config: &Config, env: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let file = env("PGPASSFILE").or_else(|| Some(format!("{}/.pgpass", env("HOME")?)))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Like other programs, ignore a file that others can read.
        if std::fs::metadata(&file).ok()?.permissions().mode() & 0o077 != 0 {
            return None;
        }
    }
    let host = match config.get_hosts().first()? {
        Host::Unix(_) => "localhost",
        Host::Tcp(name) => name,
    };
    let port = config.get_ports().first().unwrap_or(&5432).to_string();
    let user = config.get_user()?;
    let wanted = [host, &port, config.get_dbname().unwrap_or(user), user];
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let fits =
            fields.len() == 5 && wanted.iter().zip(&fields).all(|(want, has)| has == "*" || has == want);
        fits.then(|| fields[4].clone())
    })
}

/// Splits a line at colons. A backslash escapes the next character.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields.last_mut().expect("there is one").extend(signs.next()),
            other => fields.last_mut().expect("there is one").push(other),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, env: &[(&str, &str)]) -> Address {
        try_parse(text, env).unwrap()
    }

    fn try_parse(text: &str, env: &[(&str, &str)]) -> Result<Address, PgError> {
        Address::parse(text, &|name| {
            env.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn said(address: &Address) -> (String, &str, &str, Option<&[u8]>) {
        (address.place(), address.user(), address.database(), address.config.get_password())
    }

    #[test]
    fn an_address_says_all_or_leaves_it_to_the_environment() {
        let all =
            parse("postgres://ann:s%40c%3Ax@db.example:5433/bench?sslmode=verify-full&schema=mine", &[]);
        assert_eq!(said(&all), ("db.example:5433".into(), "ann", "bench", Some(&b"s@c:x"[..])));
        assert_eq!((all.encryption, &*all.schema), (Encryption::VerifyFull, "mine"));

        let env = [
            ("PGHOST", "db"),
            ("PGPORT", "7"),
            ("PGUSER", "bob"),
            ("PGPASSWORD", "p"),
            ("PGSSLMODE", "require"),
        ];
        let none = parse("postgresql://", &env);
        assert_eq!(said(&none), ("db:7".into(), "bob", "bob", Some(&b"p"[..])));
        assert_eq!(none.encryption, Encryption::Require);

        let socket = parse("postgresql:///bench?host=/tmp/s%20x&user=ann&sslmode=require", &[]);
        assert_eq!(said(&socket), ("/tmp/s x:5432".into(), "ann", "bench", None));
        assert_eq!(socket.encryption, Encryption::Disable, "nobody is on the way");
        assert_eq!(said(&parse("postgresql://ann@[::1]:5433/x", &[])).0, "::1:5433");
        assert_eq!(
            said(&parse("postgresql://ann:b@/x?host=/s", &[])),
            ("/s:5432".into(), "ann", "x", Some(&b"b"[..]))
        );
    }

    #[test]
    fn what_is_no_address_is_refused_and_says_why() {
        for (text, why) in [
            ("postgresql://ann@h:port/x", "port"),
            ("postgresql://ann@h/x?sslmode=maybe", "no sslmode `maybe`"),
            ("postgresql://ann@h/x?colour=red", "colour"),
            ("postgresql://ann@h/x?schema=a\"b", "lower-case letters"),
        ] {
            let fault = try_parse(text, &[]).err().unwrap();
            assert!(fault.why.contains(why), "{text}: {}", fault.why);
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let shown = parse("postgresql://ann:secret@h/x?password=secret", &[]).to_string();
        assert_eq!(shown, "postgresql://ann@h/x");
        let odd = parse("POSTGRESQL://ann:a?sslmode=disable@h/x?p%61ssword=b", &[]);
        assert_eq!(odd.to_string(), "POSTGRESQL://ann@h/x");
        assert_eq!(said(&odd), ("h:5432".into(), "ann", "x", Some(&b"b"[..])));
        assert_eq!(odd.encryption, Encryption::Require, "what stands in a password asks for nothing");
    }

    #[test]
    fn a_password_goes_to_another_machine_in_the_clear_only_if_that_is_asked_for() {
        use Encryption::{Disable, Prefer, Require, VerifyFull};
        for (text, wanted) in [
            ("postgresql://ann@db.example/x", Require),
            ("postgresql://ann@db.example/x?sslmode=prefer", Require),
            ("postgresql://ann@db.example/x?sslmode=allow", Require),
            ("postgresql://ann@db.example/x?sslrootcert=/roots.pem", VerifyFull),
            ("postgresql://ann@db.example/x?sslmode=disable", Disable),
            ("postgresql://ann@10.0.0.7/x", Require),
            ("postgresql://ann@localhost,db.example/x", Require),
            ("postgresql://ann@localhost/x?hostaddr=10.0.0.7", Require),
            ("postgresql://ann@localhost.example/x", Require),
            ("postgresql://ann@0.0.0.0/x", Require),
            ("postgresql://ann@localhost/x", Prefer),
            ("postgresql://ann@127.0.0.1/x", Prefer),
            ("postgresql://ann@[::1]/x", Prefer),
            ("postgresql:///x?host=/run/postgresql", Disable),
        ] {
            let address = parse(text, &[]);
            assert_eq!(address.encryption, wanted, "{text}");
            let mode = address.config().get_ssl_mode();
            let may_fall_back = mode == SslMode::Prefer || mode == SslMode::Disable;
            assert_eq!(may_fall_back, matches!(wanted, Disable | Prefer), "{text}");
        }
        let address = parse("postgresql://ann@db.example/x", &[("PGSSLMODE", "disable")]);
        assert_eq!(address.encryption, Disable);
    }

    #[test]
    fn the_file_of_passwords_is_read_as_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pass");
        std::fs::write(&file, "# mine\nother:*:*:*:no\nh:5432:x:ann:a\\:b\\\\c\n").unwrap();
        let env = [("PGPASSFILE", file.to_str().unwrap())];
        let of = |mode: u32| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            said(&parse("postgresql://ann@h/x", &env)).3.map(<[u8]>::to_vec)
        };
        assert_eq!(of(0o600).as_deref(), Some(&b"a:b\\c"[..]));
        assert_eq!(of(0o644), None, "others can read it");
        assert_eq!(said(&parse("postgresql://bob@h/x", &env)).3, None);
    }
}
