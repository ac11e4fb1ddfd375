//! Plans the runs of `derny try` from the user's request.

use crate::calls::{Accepted, Call, Entry, FirstResults, Output};
use crate::parameters::{self, Combination, Parameter};
use crate::request::Request;
use crate::shell::Shell;
use derny_model::words::counted;
use derny_model::{Problem, problem};
use std::path::PathBuf;

/// The commands to run, in order.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The commands. With several cases, all entries of the first command come first.
    pub entries: Vec<Entry>,
    /// The variants, by the names of their benchmarks. The first is the base.
    pub sides: Vec<String>,
    /// Set-up commands, each of which runs once before everything else.
    pub setups: Vec<Call>,
    /// Clean-up commands, each of which runs once after everything else.
    pub cleanups: Vec<Call>,
    /// Call that runs an empty command in the shell. `None` without a shell, or if figures are judged.
    pub empty: Option<Call>,
    /// Warnings about commands that may not run as intended.
    pub doubts: Vec<Problem>,
}

/// A named command, with its folder and environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Name of the side, unique in the plan.
    pub name: String,
    /// The program and its arguments, which run without a shell.
    pub words: Vec<String>,
    /// Working directory.
    pub directory: PathBuf,
    /// Additional environment variables: name and value.
    pub env: Vec<(String, String)>,
}

/// Makes a plan for sides that print figures. The first side is the base.
pub fn of_sides(sides: &[Side]) -> Plan {
    let entry = |side: &Side| {
        let Side { name, words, directory, env } = side.clone();
        Entry {
            name,
            params: Combination::new(),
            run: Call { text: words.join(" "), words, directory, env },
            prepare: None,
            conclude: None,
            output: Output::Kept,
            input: None,
            accepted: Accepted::Zero,
            seen: FirstResults::default(),
            figures: Vec::new(),
        }
    };
    Plan {
        entries: sides.iter().map(entry).collect(),
        sides: sides.iter().map(|side| side.name.clone()).collect(),
        setups: Vec::new(),
        cleanups: Vec::new(),
        empty: None,
        doubts: Vec::new(),
    }
}

/// A command with one combination of parameter values.
struct Invocation<'a> {
    command: usize,
    values: &'a Combination,
    directory: PathBuf,
}

/// Plans the runs of a request. If each variant has its own copy of the folder, `copy` returns the copy for
/// the variant with the given index.
///
/// # Errors
/// Fails if the request is contradictory, if a command cannot be split into words, or if `copy` fails.
pub fn plan(
    request: &Request,
    copy: &mut dyn FnMut(usize) -> Result<PathBuf, Problem>,
) -> Result<Plan, Problem> {
    let shell = Shell::named(request.shell.as_deref())?;
    let all = parameters::combinations(&request.parameters);
    let has_cases = request.commands.len() > 1;
    counts(request)?;
    let mut plan = Plan {
        entries: Vec::new(),
        sides: Vec::new(),
        setups: Vec::new(),
        cleanups: Vec::new(),
        // The start-up time of the shell is subtracted only from times, not from figures.
        empty: if request.judged.sources.is_empty() { shell.empty(&request.directory)? } else { None },
        doubts: Vec::new(),
    };
    differing_setups(request, &all)?;
    unused_parameters(request)?;
    for command in 0..request.commands.len() {
        for values in &all {
            let is_side = !has_cases || values == &all[0];
            if is_side {
                let name = name(request, command, if has_cases { None } else { Some(values) });
                plan.sides.push(unlike(&plan.sides, name));
            }
            let side = plan.sides.len() - 1;
            let directory = if request.copy { copy(side)? } else { request.directory.clone() };
            let invocation = Invocation { command, values, directory };
            add_once(&mut plan.setups, request.setup.as_deref(), &shell, &invocation)?;
            add_once(&mut plan.cleanups, request.cleanup.as_deref(), &shell, &invocation)?;
            let params = if has_cases { values.clone() } else { Combination::new() };
            plan.entries.push(entry(request, &shell, &invocation, plan.sides[side].clone(), params)?);
        }
    }
    plan.doubts.extend(without_a_shell(&plan, &shell));
    Ok(plan)
}

/// Returns `name`, with a number appended if `others` contains it. Users may compare a command with itself to
/// see the noise.
fn unlike(others: &[String], name: String) -> String {
    let numbered = (2..).map(|number| format!("{name} #{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !others.contains(name)).unwrap_or(name)
}

/// Returns a warning if commands contain shell syntax but run without a shell.
fn without_a_shell(plan: &Plan, shell: &Shell) -> Option<Problem> {
    let calls = plan
        .entries
        .iter()
        .flat_map(|entry| [Some(&entry.run), entry.prepare.as_ref(), entry.conclude.as_ref()]);
    let all = calls.flatten().chain(&plan.setups).chain(&plan.cleanups);
    let (first, words) =
        all.map(|call| (call, shell.unread(&call.text))).find(|(_, words)| !words.is_empty())?;
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let taken = if words.len() == 1 { "a literal argument" } else { "literal arguments" };
    let what = problem!("`{}` runs without a shell, which takes {} as {taken}", first.text, words.join(", "));
    Some(what.remedy("omit -N, or put quotes around literal text"))
}

/// Fails if the length of a list does not match the number of commands.
fn counts(request: &Request) -> Result<(), Problem> {
    let commands = request.commands.len();
    for (flag, count) in [
        ("--prepare", request.prepare.len()),
        ("--conclude", request.conclude.len()),
        ("--output", request.output.len()),
    ] {
        if count > 1 && count != commands {
            return Err(problem!(
                "{flag} is given {count} times for {}, including --reference",
                counted(commands, "command", "commands")
            )
            .remedy(format_args!("give {flag} once for all of them, or once for each")));
        }
    }
    let mut names: Vec<&str> = request.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(problem!("the parameter `{}` is given twice", pair[0])
            .remedy(format_args!("use one -L {} with all values", pair[0])));
    }
    Ok(())
}

/// Fails if a parameter occurs in no command and no name. All of its values would give the same runs.
fn unused_parameters(request: &Request) -> Result<(), Problem> {
    let lists = [&request.commands, &request.prepare, &request.conclude];
    let texts = || {
        let optional = [&request.setup, &request.cleanup].into_iter().chain(&request.names).flatten();
        lists.iter().flat_map(|list| list.iter()).chain(optional)
    };
    let is_used = |name: &str| texts().any(|text| text.contains(&format!("{{{name}}}")));
    match request.parameters.iter().find(|parameter| !is_used(&parameter.name)) {
        None => Ok(()),
        Some(Parameter { name, .. }) => Err(problem!("no command contains the parameter `{name}`")
            .place(format_args!("-L {name}"))
            .remedy(format_args!("write {{{name}}} where its value belongs"))),
    }
}

/// Fails if set-ups differ although the commands share a folder. Runs alternate, so every command would
/// run after the set-up of another.
fn differing_setups(request: &Request, all: &[Combination]) -> Result<(), Problem> {
    let Some(setup) = request.setup.as_ref().filter(|_| !request.copy) else { return Ok(()) };
    let mut texts = all.iter().map(|values| parameters::fill(setup, values));
    let first = texts.next().unwrap_or_default();
    match texts.find(|text| *text != first) {
        None => Ok(()),
        Some(other) => Err(problem!("the set-ups of the commands differ, and each would undo the other's, because Derny alternates commands").place(format_args!("`{first}`, and `{other}`")).remedy("use --copy, which gives each command its own copy of the folder")),
    }
}

/// Returns the name of a command: the name that the user gave, or else its text. With `values`, fills them
/// in, and appends those that the name does not contain.
fn name(request: &Request, command: usize, values: Option<&Combination>) -> String {
    let text = request.names.get(command).and_then(Option::as_ref).unwrap_or(&request.commands[command]);
    let Some(values) = values else { return text.clone() };
    let unused: Vec<String> = values
        .iter()
        .filter(|(name, _)| !parameters::uses(text, name))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let filled = parameters::fill(text, values);
    if unused.is_empty() { filled } else { format!("{filled} ({})", unused.join(", ")) }
}

/// Adds a call that runs once. Adds nothing if the same text already runs in the same folder.
fn add_once(
    calls: &mut Vec<Call>,
    text: Option<&str>,
    shell: &Shell,
    invocation: &Invocation<'_>,
) -> Result<(), Problem> {
    if let Some(text) = text {
        let call = shell.call(&parameters::fill(text, invocation.values), &invocation.directory)?;
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    Ok(())
}

fn entry(
    request: &Request,
    shell: &Shell,
    invocation: &Invocation<'_>,
    name: String,
    params: Combination,
) -> Result<Entry, Problem> {
    let call = |text: &String| shell.call(&parameters::fill(text, invocation.values), &invocation.directory);
    let own = |texts: &[String]| of_command(texts, invocation.command).map(call).transpose();
    Ok(Entry {
        name,
        params,
        run: call(&request.commands[invocation.command])?,
        prepare: own(&request.prepare)?,
        conclude: own(&request.conclude)?,
        output: of_command(&request.output, invocation.command).cloned().unwrap_or(request.otherwise()),
        input: request.input.clone(),
        accepted: request.accepted.clone(),
        seen: FirstResults::default(),
        figures: Vec::new(),
    })
}

/// Returns the element for a command, from a list with either one element for all commands or one for
/// each.
fn of_command<T>(list: &[T], command: usize) -> Option<&T> {
    if list.len() == 1 { list.first() } else { list.get(command) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::parameters::Parameter;
    use crate::request::Judged;

    fn request(commands: &[&str]) -> Request {
        Request {
            commands: commands.iter().map(|text| (*text).to_owned()).collect(),
            names: Vec::new(),
            parameters: Vec::new(),
            shell: None,
            setup: None,
            prepare: Vec::new(),
            conclude: Vec::new(),
            cleanup: None,
            output: Vec::new(),
            input: None,
            accepted: Accepted::Zero,
            copy: false,
            timeout_ns: None,
            directory: PathBuf::from("/here"),
            judged: Judged::default(),
        }
    }

    /// Returns the entries of these commands.
    pub(crate) fn of_commands(commands: &[&str]) -> Vec<Entry> {
        planned(&request(commands)).unwrap().entries
    }

    fn scanned(commands: &[&str]) -> Request {
        let values = vec!["1".to_owned(), "2".to_owned()];
        Request { parameters: vec![Parameter { name: "n".into(), values }], ..request(commands) }
    }

    fn planned(request: &Request) -> Result<Plan, Problem> {
        plan(request, &mut |side| Ok(PathBuf::from(format!("/copy/{side}"))))
    }

    #[test]
    fn combinations_are_sides_of_one_command_and_cases_of_several() {
        let one = planned(&scanned(&["a {n}"])).unwrap();
        assert_eq!(one.sides, ["a 1", "a 2"]);
        assert!(one.entries.iter().all(|entry| entry.params.is_empty()));
        let several = planned(&scanned(&["a {n}", "b"])).unwrap();
        assert_eq!(several.sides, ["a {n}", "b"]);
        let all: Vec<(&str, &str, &str)> = several
            .entries
            .iter()
            .map(|entry| (entry.name.as_str(), entry.params[0].1.as_str(), entry.run.text.as_str()))
            .collect();
        assert_eq!(all, [("a {n}", "1", "a 1"), ("a {n}", "2", "a 2"), ("b", "1", "b"), ("b", "2", "b")]);
        let prepared = Request { prepare: vec!["make {n}".into()], ..scanned(&["a"]) };
        assert_eq!(planned(&prepared).unwrap().sides, ["a (n = 1)", "a (n = 2)"]);
        let unused = planned(&scanned(&["a"])).unwrap_err().to_string();
        assert!(unused.contains("no command contains the parameter `n`"), "{unused}");
    }

    #[test]
    fn no_command_runs_on_the_set_up_of_another() {
        let differing = Request { setup: Some("make {n}".into()), ..scanned(&["./a.out {n}"]) };
        let refused = planned(&differing).unwrap_err();
        assert!(
            refused.to_string().contains("--copy") && refused.to_string().contains("`make 1`"),
            "{refused}"
        );
        let copied = planned(&Request { copy: true, ..differing.clone() }).unwrap();
        let folders: Vec<_> = copied.entries.iter().map(|entry| entry.run.directory.clone()).collect();
        assert_eq!(folders, [PathBuf::from("/copy/0"), PathBuf::from("/copy/1")]);
        let setups: Vec<_> = copied.setups.iter().map(|call| (&*call.text, call.directory.clone())).collect();
        assert_eq!(setups, [("make 1", folders[0].clone()), ("make 2", folders[1].clone())]);
        // A set-up that is the same for all commands runs once.
        let same = planned(&Request { setup: Some("make".into()), ..differing }).unwrap();
        assert_eq!(same.setups.len(), 1);
    }

    #[test]
    fn lists_have_one_element_or_one_for_each_command() {
        let with = |prepare: &[&str]| {
            let prepare = prepare.iter().map(|text| (*text).to_owned()).collect();
            planned(&Request { prepare, ..request(&["a", "b"]) })
        };
        let texts = |plan: Plan| -> Vec<Option<String>> {
            plan.entries.into_iter().map(|entry| entry.prepare.map(|call| call.text)).collect()
        };
        assert_eq!(texts(with(&[]).unwrap()), [None, None]);
        assert_eq!(texts(with(&["p"]).unwrap()), [Some("p".into()), Some("p".into())]);
        assert_eq!(texts(with(&["p", "q"]).unwrap()), [Some("p".into()), Some("q".into())]);
        assert!(with(&["p", "q", "r"]).unwrap_err().what.contains("3 times"));
    }

    #[test]
    fn without_a_shell_the_words_are_the_commands_own() {
        let plain = planned(&Request { shell: Some("none".into()), ..request(&["a 'b c'"]) }).unwrap();
        assert_eq!((plain.entries[0].run.words.clone(), plain.empty), (vec!["a".into(), "b c".into()], None));
        let bash = planned(&Request { shell: Some("bash --norc".into()), ..request(&["a | b"]) }).unwrap();
        assert_eq!(bash.entries[0].run.words, ["bash", "--norc", "-c", "a | b"]);
        assert!(planned(&Request { shell: Some("none".into()), ..request(&["a 'b"]) }).is_err());
    }

    #[test]
    fn a_command_stands_beside_itself() {
        let same = planned(&request(&["a", "b", "a", "a #2", "a"])).unwrap();
        assert_eq!(same.sides, ["a", "b", "a #2", "a #2 #2", "a #3"]);
        let run: Vec<&str> = same.entries.iter().map(|entry| entry.run.text.as_str()).collect();
        assert_eq!(run, ["a", "b", "a", "a #2", "a"]);
        let names = vec![Some("x".to_owned()), Some("x".to_owned())];
        assert_eq!(planned(&Request { names, ..request(&["a", "b"]) }).unwrap().sides, ["x", "x #2"]);
        let cases = planned(&scanned(&["a {n}", "a {n}"])).unwrap();
        assert_eq!(cases.sides, ["a {n}", "a {n} #2"]);
        assert_eq!((cases.entries[3].name.as_str(), cases.entries[3].run.text.as_str()), ("a {n} #2", "a 2"));
    }

    #[test]
    fn words_for_a_shell_are_doubted_once_where_there_is_none() {
        let of = |shell: &str, commands: &[&str], prepare: &[&str]| {
            let prepare = prepare.iter().map(|text| (*text).to_owned()).collect();
            planned(&Request { shell: Some(shell.into()), prepare, ..request(commands) }).unwrap().doubts
        };
        let doubts = of("none", &["wc -l", "wc -l <in >out", "a && b"], &[]);
        let [doubt] = &doubts[..] else { panic!("{doubts:?}") };
        assert!(
            doubt.what.starts_with("`wc -l <in >out` runs without a shell, which takes `<in`, `>out` as"),
            "{doubt}"
        );
        assert!(doubt.remedy.contains("-N"), "{doubt}");
        assert_eq!(of("none", &["a"], &["rm -f *.o"]).len(), 1);
        assert!(of("none", &["grep '|' x"], &[]).is_empty());
        assert!(of("default", &["a && b"], &["rm -f *.o"]).is_empty());
    }
}
