use super::*;
use crate::discover::project::Project;
use crate::discover::sdk::Sdks;
use crate::discover::{Selector, sources};
use std::path::Path;

fn syntax() -> Syntax {
    Syntax {
        endings: Vec::new(),
        comments: vec!["#".into()],
        block_comments: vec![("/*".into(), "*/".into())],
        quotes: ["\"\"\"", "\"", "'", "`"].map(String::from).to_vec(),
    }
}

fn has(text: &str, pattern: &str) -> bool {
    Said::new(text, Some(&syntax())).any(&[pattern.to_owned()])
}

#[test]
fn a_pattern_is_found_however_it_is_written() {
    for (text, pattern) in [
        ("take  tool .\n  part", "take tool.part"),
        ("take(tool , other)", "take(tool,"),
        ("take time_sort()", "take time_*"),
        ("take a, b,tool", "take ... tool"),
        ("take a, \\\n b, tool", "take ... tool"),
        ("x = 1\ntake (\na,\ntool\n)", "take ... tool"),
        ("take\n    one tool", "take ... tool"),
        ("take tool", "take ... tool"),
        ("get('tool')", "get(\"tool\""),
        ("get(`tool`)", "\"tool\""),
        ("b\na", "a && b"),
    ] {
        assert!(has(text, pattern), "{text:?} has {pattern:?}");
    }
}

#[test]
fn what_only_looks_like_it_is_not_found() {
    for (text, pattern) in [
        ("# take tool", "take tool"),
        ("/* take\n tool */", "take tool"),
        ("'take tool'", "take tool"),
        ("\"\"\"\ntake tool\n\"\"\"", "take tool"),
        ("take tools", "take tool"),
        ("take my.tool", "take ... tool"),
        ("take other\ntool = 1", "take ... tool"),
        ("take (other)\ntool", "take ... tool"),
        ("take other; tool", "take ... tool"),
        ("get(tool)", "get(\"tool\""),
        ("a", "a && b"),
    ] {
        assert!(!has(text, pattern), "{text:?} has no {pattern:?}");
    }
    assert!(has("it's\ntake tool", "take tool"), "a quote that nothing closes ends with its line");
    assert!(has("\"a\\\"b\" take tool", "take tool"));
}

/// Parses the files of `recognition.txt`. Each starts with a line `=== + NAME FILE`, followed by the file's
/// text. NAME is a convention, or a tool whose files Derny must not run. A file with `-` instead of `+` must
/// not be recognised.
fn files(text: &str) -> Vec<(bool, String, String, String)> {
    let of = |block: &str| {
        let (head, body) = block.split_once('\n')?;
        let mut words = head.split(' ');
        let is_one = words.next()? == "+";
        Some((is_one, words.next()?.to_owned(), words.next()?.to_owned(), body.to_owned()))
    };
    text.split("=== ").skip(1).map(|block| of(block).unwrap_or_else(|| panic!("{block}"))).collect()
}

/// Each language has a table of benchmark files with every form of an import, and of similar files that are
/// not benchmarks.
#[test]
fn files_are_recognised_in_every_form_of_their_language() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sdk"));
    let sdks = Sdks::of_folder(folder).unwrap();
    let root = std::env::temp_dir().join(format!("derny-recognise-{}", std::process::id()));
    let mut wrong = Vec::new();
    for sdk in sdks.all() {
        let table = std::fs::read_to_string(folder.join(&sdk.name).join("recognition.txt"));
        let table = table.unwrap_or_else(|error| panic!("{}: {error}", sdk.name));
        for (number, (is_one, name, file, text)) in files(&table).into_iter().enumerate() {
            let project = Project { root: root.join(format!("{}-{number}", sdk.name)), ..Project::default() };
            let write = |file: &str, text: &str| {
                std::fs::create_dir_all(project.root.join(file).parent().unwrap()).unwrap();
                std::fs::write(project.root.join(file), text).unwrap();
            };
            let named = sdk.harness.iter().find(|convention| convention.name == name);
            named
                .and_then(|convention| convention.marker.as_ref())
                .into_iter()
                .for_each(|marker| write(marker, ""));
            write(&file, &text);
            let found = sources(&project, &sdks, &Selector::default()).unwrap();
            let is_found = found.sources.iter().any(|source| source.harness == name)
                || found.foreign.iter().any(|foreign| foreign.tool == name);
            if is_found != is_one {
                wrong.push(format!("{} {name} {file}:\n{text}", if is_one { "+" } else { "-" }));
            }
        }
    }
    std::fs::remove_dir_all(root).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
