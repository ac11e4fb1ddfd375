//! Formats the results of diagnoses: the files that each wrote, and their first lines.

use crate::Style;
use crate::style::{Paint, visible};
use derny_model::Diagnosed;

/// Returns all diagnoses, one paragraph each.
pub fn all(found: &[Diagnosed], style: &Style) -> String {
    let several = found.iter().any(|one| one.variant != found[0].variant);
    found.iter().map(|one| format!("\n{}", paragraph(one, several, style))).collect()
}

fn paragraph(found: &Diagnosed, several: bool, style: &Style) -> String {
    let variant = if several { format!(" ({})", visible(&found.variant)) } else { String::new() };
    let head = style.paint(Paint::Strong, &format!("{} {}{variant}", found.name, visible(&found.case)));
    let mut out = format!("{head}  {}\n", style.prose(&found.about));
    for line in &found.excerpt {
        out.push_str(&format!("  {}\n", visible(line)));
    }
    let more = found.lines.saturating_sub(found.excerpt.len() as u64);
    if more > 0 {
        out.push_str(&format!("  and {more} more lines like these\n"));
    }
    if found.files.is_empty() && found.problem.is_none() {
        out.push_str("  the runtime reported nothing\n");
    }
    for file in &found.files {
        out.push_str(&style.paint(Paint::Dim, &format!("  {file}\n")));
    }
    if let Some(problem) = &found.problem {
        out.push_str(&format!("  {}\n", style.paint(Paint::Warning, &visible(problem))));
    }
    out
}
