//! Presents the command line: help texts, manual pages, and the reference in `docs/`. All are generated from
//! clap's description, the defaults of the settings, and the examples. Parsing is not affected.

#[cfg(test)]
mod documents;
mod examples;
#[cfg(test)]
mod reference;
mod screens;

use crate::args::{ADVANCED, Cli};
use clap::builder::styling::Style;
use clap::{Arg, ArgAction, Command, CommandFactory};
use derny_workbench::config::settings::KEYS;

/// Column where the descriptions of flags begin.
const COLUMN: usize = 28;
/// Maximum width of help, in columns. Longer lines are hard to read.
const WIDEST: usize = 100;
/// Width if there is no terminal.
const USUAL: usize = 80;
const BOLD: Style = Style::new().bold();

/// Returns the command line with the description and default of every setting, taken from the table of
/// settings.
pub fn command() -> Command {
    let mut command = Cli::command().disable_help_flag(true).arg(
        Arg::new("help")
            .short('h')
            .long("help")
            .help("Print help; so does `derny help COMMAND`")
            .action(ArgAction::Help)
            .global(true),
    );
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_string()).collect();
    for verb in verbs {
        command = command.mut_subcommand(verb, with_settings);
    }
    command.build();
    command
}

/// Returns the command line with help texts wrapped for this number of columns.
pub fn with_help(columns: Option<usize>) -> Command {
    lay_out(command(), &[], columns.unwrap_or(USUAL).clamp(40, WIDEST))
}

/// Returns the text of `derny help WORDS` for a topic, or for a command with `--all`. `None` for other words,
/// which clap handles.
pub fn topic(words: &[String], columns: Option<usize>) -> Option<String> {
    let width = columns.unwrap_or(USUAL).clamp(40, WIDEST);
    match words {
        [topic] if topic == "all" => Some(screens::all(&command(), width)),
        [topic] if topic == "settings" => Some(screens::settings(width)),
        [path @ .., all] if all == "--all" => {
            let found = path.iter().try_fold(command(), |at, word| at.find_subcommand(word).cloned());
            Some(help(&mut found?, &path.join(" "), width, Extent::All))
        }
        _ => None,
    }
}

/// Prints help, with bold headings if standard output is a terminal.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn print(text: String) -> std::io::Result<()> {
    Command::new("derny").override_help(text).print_help()
}

/// Amount of help to show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Help without rare flags.
    Usual,
    All,
}

fn with_settings(mut verb: Command) -> Command {
    let below: Vec<String> = verb.get_subcommands().map(|verb| verb.get_name().to_string()).collect();
    for name in below {
        verb = verb.mut_subcommand(name, with_settings);
    }
    KEYS.iter().fold(verb, |verb, key| {
        let unexplained = format!("The setting `{}`", key.name);
        let is_setting = |arg: &&Arg| arg.get_help().is_some_and(|help| help.to_string() == unexplained);
        let id = verb.get_arguments().find(is_setting).map(|arg| arg.get_id().clone());
        let help = || format!("{} [default: {}]", capital(key.about), key.default);
        id.into_iter().fold(verb, |verb, id| verb.mut_arg(id, |arg| arg.help(help())))
    })
}

fn lay_out(mut command: Command, path: &[String], width: usize) -> Command {
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_string()).collect();
    for name in verbs {
        let path = [path, std::slice::from_ref(&name)].concat();
        // `mut_subcommand` moves the subcommand to the end, so their order is preserved only if all are
        // changed.
        command = command
            .mut_subcommand(&name, |verb| if name == "help" { verb } else { lay_out(verb, &path, width) });
    }
    let text = match path {
        [] => screens::first(width),
        _ => help(&mut command, &path.join(" "), width, Extent::Usual),
    };
    command.override_help(text)
}

/// Returns the subcommands except `help`.
pub fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_name() != "help")
}

/// Returns the examples of a verb, given its full name.
pub fn examples(verb: &str) -> &'static [(&'static str, &'static str)] {
    examples::of(verb)
}

/// Returns the help text of a verb: description, examples, and flags, rarely used ones last.
fn help(command: &mut Command, path: &str, width: usize, extent: Extent) -> String {
    let about = if path.is_empty() { command.get_long_about() } else { command.get_about() };
    let about = about.map(ToString::to_string).unwrap_or_default();
    let mut text: String = about.lines().map(|line| fill(line, 0, width) + "\n").collect::<String>() + "\n";
    text.push_str(&format!("{}\n", command.render_usage().ansi()));
    section(
        &mut text,
        "Examples",
        width,
        examples::of(path).iter().map(|(typed, what)| (*typed, (*what).to_string())),
    );
    let about = |verb: &Command| verb.get_about().map(ToString::to_string).unwrap_or_default();
    section(&mut text, "Commands", width, verbs(command).map(|verb| (verb.get_name(), about(verb))));
    for (heading, args) in groups(command) {
        if heading == ADVANCED && extent == Extent::Usual {
            let names: Vec<String> = args.iter().map(|arg| name(arg)).collect();
            let line = format!("Rarely needed: {}. See `derny help {path} --all`.", names.join(", "));
            text.push_str(&format!("\n{}\n", fill(&line, 0, width)));
            continue;
        }
        let rows: Vec<(String, String)> = args.iter().map(|arg| (form(arg), meaning(arg))).collect();
        section(
            &mut text,
            &heading,
            width,
            rows.iter().map(|(form, meaning)| (form.as_str(), meaning.clone())),
        );
    }
    if !path.is_empty() {
        let globals: Vec<String> =
            command.get_arguments().filter(|arg| arg.is_global_set()).map(name).collect();
        let line = format!(
            "Every command also accepts {}: see `derny help all`. For details, see `derny dev man {path}`.",
            globals.join(", ")
        );
        text.push_str(&format!("\n{}\n", fill(&line, 0, width)));
    }
    if let Some(end) = command.get_after_help() {
        text.push_str(&format!("\n{}\n", fill(&end.to_string(), 0, width)));
    }
    text
}

/// Returns the arguments grouped by heading, rarely used ones last. Global ones are included for `derny`
/// itself only.
pub fn groups(command: &Command) -> Vec<(String, Vec<&Arg>)> {
    let top = command.get_name() == "derny";
    let mut groups: Vec<(String, Vec<&Arg>)> = Vec::new();
    let shown = |arg: &&Arg| !arg.is_hide_set() && (top || !arg.is_global_set() && arg.get_id() != "help");
    for arg in command.get_arguments().filter(shown) {
        let usual = if arg.is_positional() { "Arguments" } else { "Options" };
        let heading = arg.get_help_heading().unwrap_or(usual);
        match groups.iter_mut().find(|(name, _)| name == heading) {
            Some((_, args)) => args.push(arg),
            None => groups.push((heading.to_string(), vec![arg])),
        }
    }
    groups.sort_by_key(|(heading, _)| match heading.as_str() {
        "Arguments" => 0,
        "Options" => 1,
        ADVANCED => 3,
        _ => 2,
    });
    groups
}

/// Returns `--flag`, or `-f` if there is no long name.
fn name(arg: &Arg) -> String {
    arg.get_long().map_or_else(|| format!("-{}", arg.get_short().unwrap_or('?')), |long| format!("--{long}"))
}

/// Returns `-f, --flag <VALUE>`.
pub fn form(arg: &Arg) -> String {
    match (arg.is_positional(), arg.get_short(), arg.get_long()) {
        (false, Some(short), Some(_)) => format!("-{short}, {arg}"),
        (false, None, Some(_)) => format!("    {arg}"),
        _ => arg.to_string(),
    }
}

/// Returns the description of an argument, its possible values and its default.
pub fn meaning(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    // If the description ends with a default, move the default after the values.
    let (about, stated) = help.split_at(help.find(" [default: ").unwrap_or(help.len()));
    let mut text = about.to_string();
    let values: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_string()).collect();
    if arg.get_action().takes_values() && values.len() > 1 {
        text.push_str(&format!(": {}", values.join(", ")));
    }
    text.push_str(stated);
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        text.push_str(&format!(" [default: {}]", defaults.join(",")));
    }
    text
}

fn section<'a>(
    text: &mut String,
    heading: &str,
    width: usize,
    rows: impl Iterator<Item = (&'a str, String)>,
) {
    let rows: Vec<(&str, String)> = rows.collect();
    let Some(longest) = rows.iter().map(|(left, _)| left.chars().count()).max() else { return };
    text.push_str(&format!("\n{BOLD}{heading}:{BOLD:#}\n"));
    // Examples are never wrapped. The description of a long flag begins on the next line.
    let column = match heading {
        "Examples" => longest + 4,
        "Commands" => longest + 4,
        _ => COLUMN.min(longest + 4),
    };
    let narrow = column + 20 > width;
    let column = if narrow { 8 } else { column };
    for (left, right) in rows {
        let used = 2 + left.chars().count();
        let start =
            if used + 2 > column { format!("\n{}", " ".repeat(column)) } else { " ".repeat(column - used) };
        let right = fill(&right, column, width);
        text.push_str(format!("  {left}{start}{right}").trim_end());
        text.push('\n');
    }
}

/// Wraps words to lines of at most `width` columns. Indents all lines by `indent` columns except the first,
/// which is assumed to start at that column.
fn fill(text: &str, indent: usize, width: usize) -> String {
    let (mut filled, mut used) = (String::new(), indent);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > indent && used + 1 + length > width {
            filled.push_str(&format!("\n{}", " ".repeat(indent)));
            used = indent;
        } else if used > indent {
            filled.push(' ');
            used += 1;
        }
        filled.push_str(word);
        used += length;
    }
    filled
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
