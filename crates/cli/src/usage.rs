//! Errors of the command line, in the form of all errors: what, where and what to try.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use derny_engine::discover::pattern;
use derny_model::{Problem, problem};
use derny_workbench::config::settings::KEYS;

/// Words that users of earlier versions or of other tools may type, but that Derny does not accept: the verb,
/// the words, and what to type instead.
const REMOVED: &[(&str, &[&str], &str)] = &[
    ("", &["gate"], "use `derny compare --gate`"),
    ("", &["benchmark", "benchmarks", "bench", "measure", "test"], "use `derny run`"),
    ("", &["exec", "time", "command", "hyperfine"], "use `derny try 'COMMAND'`"),
    ("", &["trend", "log"], "use `derny history`, or `derny runs` for a list"),
    ("", &["results", "ls"], "use `derny runs`"),
    ("", &["version"], "use `derny --version`"),
    ("", &["store"], "use `derny runs copy FROM TO`"),
    ("runs", &["annotate"], "use `derny runs note`"),
    ("config", &["--json"], "use -f json"),
    ("try", &["-p"], "use --prepare CMD: -p selects a parameter in every other command"),
    ("list", &["--plan"], "use `derny run --dry-run`"),
    (
        "report",
        &["-f", "--format"],
        "omit it: a report is a page. `derny show -f json`, `derny compare -f markdown` and `derny plot` write other formats",
    ),
    ("export", &["--format json"], "use `derny show -f json`"),
    (
        "try",
        &["-m", "--min-runs"],
        "omit it: Derny measures until there is a verdict. --budget 10s allows more time",
    ),
    ("try", &["-r", "--runs"], "use -M NUM for at most NUM runs: Derny stops when the verdict is clear"),
    (
        "try",
        &["--sort"],
        "omit it: rows keep the order of the commands, and the last lines begin with the fastest",
    ),
    ("try", &["-u", "--time-unit"], "omit it: Derny chooses units. `-f json` has nanoseconds"),
    ("try", &["--export-asciidoc", "--export-orgmode"], "use --export-markdown FILE, or -f markdown"),
];

/// Returns the message for an error of the parser, or `None` if it is not an error but a request such as
/// `--help`.
pub fn message(error: &Error, words: &[String]) -> Option<Problem> {
    if !error.use_stderr() {
        return None;
    }
    let cli = Cli::command();
    let (verb, path) = meant(&cli, words);
    let named = format!("derny {path}").trim_end().to_owned();
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let problem = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            unknown_verb(&cli, (verb, &path), &text(ContextKind::InvalidSubcommand)?)
        }
        ErrorKind::UnknownArgument => {
            let option = text(ContextKind::InvalidArg)?;
            let problem = unknown_option(verb, &named, &option);
            match instead(&path, &option).map(str::to_owned).or_else(|| setting(verb, &option, words)) {
                Some(now) => problem.remedy(now),
                None => problem,
            }
        }
        ErrorKind::InvalidValue if text(ContextKind::InvalidValue).is_some_and(|value| !value.is_empty()) => {
            let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let valid = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(valid)) => valid.clone(),
                _ => Vec::new(),
            };
            let name = option.split([' ', '[']).next().unwrap_or(&option);
            let remedy = instead(&path, &format!("{name} {value}")).map(str::to_string);
            let near = |near: String| match name.starts_with("--") {
                true if option.contains("[=") => format!("use {name}={near}"),
                true => format!("use {name} {near}"),
                false => format!("use `{named} {near}`"),
            };
            let remedy = remedy.or_else(|| nearest(&value, &valid).map(near)).unwrap_or_else(|| match valid
                .is_empty()
            {
                true => String::new(),
                false => "choose one of these".to_owned(),
            });
            problem!("`{value}` is not a value of {name}").known(valid.join(", ")).remedy(remedy)
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::Strings(all)) => all.join(" "),
                _ => return Some(Problem::new(first_line(error))),
            };
            problem!("{missing} is missing").remedy(format_args!("`{named} --help` shows examples"))
        }
        _ => Problem::new(first_line(error)),
    };
    let problem = match problem.remedy.is_empty() {
        true => problem.remedy(format_args!("`{named} --help` shows its values")),
        false => problem,
    };
    Some(problem.place(if path.is_empty() { String::new() } else { named }))
}

/// Returns the innermost verb that the words name, with its path.
fn meant<'a>(cli: &'a Command, words: &[String]) -> (&'a Command, String) {
    let (mut verb, mut path) = (cli, Vec::new());
    for word in words.iter().skip(1) {
        if let Some(below) = verb.find_subcommand(word) {
            verb = below;
            path.push(below.get_name());
        }
    }
    (verb, path.join(" "))
}

/// Returns what to type instead of `word`, or `None` if `REMOVED` does not contain it.
fn instead(path: &str, word: &str) -> Option<&'static str> {
    let removed = REMOVED.iter().find(|(of, old, _)| *of == path && old.contains(&word));
    removed.map(|(_, _, now)| *now)
}

/// If an unknown flag equals or resembles the name of a setting, returns how to set that setting. Returns
/// `None` if a known flag is more similar. The suggested value is the word after the flag, if there is one.
fn setting(verb: &Command, option: &str, words: &[String]) -> Option<String> {
    let word = option.strip_prefix("--")?;
    let flags: Vec<&str> = verb.get_arguments().filter_map(clap::Arg::get_long).collect();
    let keys = KEYS.iter().map(|key| key.name);
    let exact = keys.clone().find(|key| *key == word || key.strip_suffix('s') == Some(word));
    let near = || pattern::closest(word, flags.iter().copied().chain(keys)).into_iter().next();
    let name = exact.map(str::to_owned).or_else(near)?;
    let follows = flags.contains(&"set") && !flags.contains(&name.as_str());
    let key = KEYS.iter().find(|key| key.name == name).filter(|_| follows)?;
    let given = words.iter().zip(words.iter().skip(1)).find_map(|(flag, value)| {
        let inline = flag.strip_prefix(option).and_then(|rest| rest.strip_prefix('='));
        inline.or((flag == option && !value.starts_with('-')).then_some(value.as_str()))
    });
    let value = match key.name {
        "mean" => "always",
        "ladder" | "witness" => "yes",
        _ => given.unwrap_or("VALUE"),
    };
    Some(format!("use --set {}={value}; `derny help settings` lists all settings", key.name))
}

/// Returns the error for an unknown command. It suggests the replacement of a removed command, the group that
/// has the command, or the most similar command.
fn unknown_verb(cli: &Command, (verb, path): (&Command, &str), word: &str) -> Problem {
    let grouped = |group: &&Command| group.find_subcommand(word).is_some();
    let names = |verb: &Command| -> Vec<String> {
        verb.get_subcommands().map(|verb| verb.get_name().to_owned()).collect()
    };
    let own = names(verb).into_iter().map(|name| format!("{path} {name}").trim_start().to_owned());
    let below = cli.get_subcommands().flat_map(|group| {
        let path = group.get_name();
        names(group).into_iter().map(move |name| format!("{path} {name}"))
    });
    let remedy = if let Some(now) = instead(path, word) {
        now.to_owned()
    } else if let Some(group) = cli.get_subcommands().find(grouped) {
        format!("use `derny {} {word}`", group.get_name())
    } else {
        let known: Vec<String> = own.chain(below).collect();
        let last = |name: &str| name.rsplit(' ').next().unwrap_or_default().to_owned();
        let lasts: Vec<String> = known.iter().map(|name| last(name)).collect();
        // A command that is much longer than the word may contain a similar part by chance.
        let alike = lasts.iter().filter(|last| last.chars().count() <= word.chars().count() + 2);
        let near = pattern::closest(word, alike.map(String::as_str)).into_iter().next();
        match near.and_then(|near| known.iter().find(|name| last(name) == near)) {
            Some(near) => format!("use `derny {near}`"),
            None => "`derny help all` lists every command".to_string(),
        }
    };
    problem!("there is no command `{}`", format!("{path} {word}").trim_start()).remedy(remedy)
}

fn unknown_option(verb: &Command, named: &str, option: &str) -> Problem {
    let dashes = option.chars().take_while(|c| *c == '-').count();
    if dashes == 0 {
        return problem!("unexpected argument `{option}`");
    }
    let options: Vec<String> =
        verb.get_arguments().filter_map(|arg| arg.get_long().map(str::to_string)).collect();
    let word = &option[dashes..];
    let formats = verb.get_arguments().find(|arg| arg.get_long() == Some("format"));
    if formats.is_some_and(|arg| arg.get_possible_values().iter().any(|value| value.matches(word, false))) {
        return problem!("there is no option `{option}`").remedy(format_args!("use -f {word}"));
    }
    let near = pattern::closest(word, options.iter().map(String::as_str));
    let remedy = match near.first() {
        Some(near) => format!("use --{near}"),
        None => format!("`{named} --help` lists every option; arguments for the program go after `--`"),
    };
    problem!("there is no option `{option}`").remedy(remedy)
}

/// Returns the valid value that resembles `value`, or else the only valid one, if there is just one.
fn nearest(value: &str, valid: &[String]) -> Option<String> {
    let near = pattern::closest(value, valid.iter().map(String::as_str));
    near.first().or(valid.first().filter(|_| valid.len() == 1)).cloned()
}

/// Returns the first paragraph of the parser's own message as one line.
fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_string()
}
