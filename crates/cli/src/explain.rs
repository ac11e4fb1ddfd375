//! Texts of all codes. Each is a Markdown file with a title and paragraphs. The texts of analysis warnings
//! are next to their detectors. Those of failures and of `derny doctor`'s own checks are in `explain/`.

/// A code and its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Code, such as `DY301`.
    pub code: &'static str,
    pub title: &'static str,
    /// Paragraphs, separated by blank lines.
    pub text: &'static str,
}

macro_rules! files {
    ($($code:literal),* $(,)?) => { &[$(($code, include_str!(concat!("explain/", $code, ".md")))),*] };
}

/// Codes of machine checks (1xx) and failures (3xx).
const FILES: &[(&str, &str)] = files![
    "DY103", "DY108", "DY110", "DY112", "DY113", "DY120", "DY121", "DY122", "DY123", "DY301", "DY302",
    "DY303", "DY304", "DY305", "DY306", "DY307", "DY308", "DY309", "DY310", "DY311", "DY312", "DY313",
    "DY314",
];

/// Returns all texts, sorted by code.
pub fn all() -> Vec<Text> {
    let detectors = derny_analysis::diagnose::DETECTORS.iter();
    let mut texts: Vec<Text> =
        detectors.map(|d| Text { code: d.code, title: d.title(), text: d.text() }).collect();
    texts.extend(FILES.iter().map(|(code, file)| {
        let (title, text) = file.split_once('\n').unwrap_or((file, ""));
        Text { code, title: title.trim_start_matches('#').trim(), text: text.trim() }
    }));
    texts.sort_by_key(|text| text.code);
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_analysis::diagnose::Blamed;
    use derny_model::FailureCode;
    use std::collections::BTreeSet;

    /// Returns every code that some part of the program can print.
    fn printed() -> BTreeSet<String> {
        let failures = (300..400)
            .map(|n| format!("DY{n}"))
            .filter(|code| serde_json::from_str::<FailureCode>(&format!("\"{code}\"")).is_ok());
        let detectors = derny_analysis::diagnose::DETECTORS.iter().map(|d| d.code.to_string());
        let doctor = crate::doctor::CODES.iter().map(|code| (*code).to_string());
        failures.chain(detectors).chain(doctor).collect()
    }

    #[test]
    fn every_code_has_one_text_and_every_text_a_code() {
        let texts = all();
        let explained: BTreeSet<String> = texts.iter().map(|text| text.code.to_string()).collect();
        assert_eq!(explained.len(), texts.len(), "a code is explained twice");
        assert_eq!(explained, printed());
    }

    #[test]
    fn texts_have_a_title_and_say_what_to_do() {
        for text in all() {
            assert!((4..=70).contains(&text.title.len()), "{}: {}", text.code, text.title);
            assert!(text.text.len() > 150, "{}: {}", text.code, text.text);
            assert!(!text.text.contains("derny compare"), "{} names a verb that does not exist", text.code);
        }
    }

    /// Returns the sentence about where a warning is shown, which depends on what it blames.
    fn place(code: &str) -> &'static str {
        let row = derny_analysis::diagnose::DETECTORS.iter().find(|row| row.code == code);
        match row.map(|row| &row.blames) {
            Some(Blamed::Meaning) => "\n\nBlames the meaning: it marks every affected row.",
            Some(Blamed::Turns(_)) => {
                "\n\nBlames turns: it is shown if the figures without these turns differ."
            }
            Some(Blamed::Speed) => {
                "\n\nBlames the design: it is shown if the speed moved by more than half of the interval of most rows."
            }
            Some(Blamed::Design) => {
                "\n\nBlames the design: it marks the affected rows if they are the minority."
            }
            None => "",
        }
    }

    /// Returns the part of `docs/reference/warnings.md` after its introduction.
    fn chapter() -> String {
        let after = |code: &str| {
            let rows = derny_analysis::diagnose::DETECTORS.iter();
            rows.filter(|row| row.code == code).flat_map(|row| row.after).copied().collect::<Vec<_>>()
        };
        let section = |text: &Text| {
            let silent = match after(text.code).as_slice() {
                [] => String::new(),
                codes => format!("\n\nNot shown if {} applies.", codes.join(" or ")),
            };
            let place = place(text.code);
            format!("## {}: {}\n\n{}{place}{silent}\n", text.code, text.title, text.text)
        };
        all().iter().map(section).collect::<Vec<_>>().join("\n")
    }

    /// Checks the chapter; `DERNY_WRITE_DOCS=1 cargo test -p derny` rewrites it.
    #[test]
    fn the_manual_has_every_code() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/warnings.md");
        let text = std::fs::read_to_string(file).unwrap();
        let (introduction, sections) = text.split_at(text.find("## DY").unwrap_or(text.len()));
        if std::env::var_os("DERNY_WRITE_DOCS").is_some() {
            std::fs::write(file, format!("{}\n\n{}", introduction.trim_end(), chapter())).unwrap();
        } else {
            assert!(
                sections == chapter(),
                "docs/reference/warnings.md is out of date: set DERNY_WRITE_DOCS=1 and test again"
            );
        }
    }

    #[test]
    fn every_file_is_in_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/explain");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let names: BTreeSet<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        assert_eq!(names, FILES.iter().map(|(code, _)| format!("{code}.md")).collect());
    }
}
