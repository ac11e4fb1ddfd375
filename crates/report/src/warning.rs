//! Doubts in sentences: code, figures, what to try.

use crate::style::{Paint, columns, wrap};
use crate::{Style, numbers};
use derny_model::{Document, Warning};

/// Of one code, this many warnings are told in full.
const TOLD: usize = 3;

/// All warnings of a document; the rest of many with one code are only counted. Empty if there are none.
pub fn all(document: &Document, style: &Style) -> String {
    each(&document.warnings, style)
}

/// The same for warnings from elsewhere, such as a comparison's.
pub fn each(warnings: &[Warning], style: &Style) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for warning in warnings {
        if !codes.contains(&warning.code.as_str()) {
            codes.push(&warning.code);
        }
    }
    let mut out = String::new();
    for code in codes {
        let same: Vec<&Warning> = warnings.iter().filter(|warning| warning.code == code).collect();
        let told = if same.len() > TOLD + 1 { TOLD } else { same.len() };
        for (index, warning) in same[..told].iter().enumerate() {
            let repeated = same[..told].iter().skip(index + 1).any(|later| later.remedy == warning.remedy);
            out.push_str(&sentence(warning, !repeated && told == same.len(), style));
        }
        if told < same.len() {
            let more = format!("  and {}", numbers::counted(same.len() - told, "more case", "more cases"));
            out.push_str(&style.paint(Paint::Dim, &more));
            out.push('\n');
            out.push_str(&remedy(same[0], style));
        }
    }
    out
}

/// One warning with its remedy.
pub fn one(warning: &Warning, style: &Style) -> String {
    sentence(warning, true, style)
}

fn sentence(warning: &Warning, with_remedy: bool, style: &Style) -> String {
    let head = format!("warning {}: ", style.prose(&warning.code));
    let text = wrap(&format!("{head}{}", style.prose(&warning.message)), style, 2);
    let head_length = head.trim_end().len().min(text.len());
    let (head, rest) = text.split_at(head_length);
    debug_assert!(columns(head) > 0);
    let mut out = format!("{}{rest}\n", style.paint(Paint::Warning, head));
    if with_remedy {
        out.push_str(&remedy(warning, style));
    }
    out
}

fn remedy(warning: &Warning, style: &Style) -> String {
    let explain = format!("`derny explain {}`", warning.code);
    let text = if warning.remedy.is_empty() {
        format!("  see {explain}")
    } else {
        format!("  {}, or {explain}", warning.remedy)
    };
    format!("{}\n", wrap(&style.prose(&text), style, 2))
}
