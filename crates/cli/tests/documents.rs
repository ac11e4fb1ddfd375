//! Tests documents that Derny did not write. A comment on a pull request comes from a file that anyone may
//! have changed.

use crate::place::{Place, harness};
use derny_model::{Document, Estimate, Verdict};
use derny_report::{Style, comparison::markdown};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Number of randomly changed documents to test.
const CHANGED: u64 = 600;

/// A generator of random numbers: Vigna's splitmix64.
struct Rng(u64);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }
}

/// Collects the JSON pointers of all values in a document.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| places(item, &format!("{at}/{index}"), all));
        }
        Value::Object(fields) => {
            let key = |key: &str| key.replace('~', "~0").replace('/', "~1");
            fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{}", key(name)), all));
        }
        _ => {}
    }
}

fn change(value: &mut Value, rng: &mut Rng) {
    *value = match value {
        Value::Number(_) => {
            [json!(0), json!(1), json!(7), json!(-1), json!(u32::MAX), json!(1e300), json!(0.5)][rng.below(7)]
                .clone()
        }
        Value::String(_) => {
            [json!(""), json!("@a <b> | `c`\n## d"), json!("x".repeat(70_000)), json!("é".repeat(40))]
                [rng.below(4)]
            .clone()
        }
        Value::Bool(yes) => json!(!*yes),
        Value::Array(items) => {
            let mut items = std::mem::take(items);
            match rng.below(3) {
                0 => items.clear(),
                1 => items.truncate(items.len() / 2),
                _ => items.extend(items.clone()),
            }
            Value::Array(items)
        }
        _ => Value::Null,
    }
}

/// Returns the document of a run with two sides.
fn compared(place: &Place) -> Value {
    let (old, new) = (format!("old={}", harness()), format!("new={} --offset=20", harness()));
    place.tiny(&["steady", "sized", "-x", &old, "-x", &new, "-f", "json"]).json()
}

#[test]
fn a_document_keeps_what_its_sides_came_to() {
    let place = Place::new();
    let document = compared(&place);
    place.write("result.json", &document.to_string());
    let told = place.derny(&["compare", "result.json", "-f", "json"]).expect(0).comparison();
    assert_eq!((&told["pairing"], &told["cases"]), (&json!("paired"), &document["comparison"]["cases"]));
    // With other terms, verdicts are computed again, and without pairs, because documents do not contain
    // them.
    let anew =
        place.derny(&["compare", "result.json", "--margin", "7%", "-f", "json"]).expect(0).comparison();
    assert_eq!((&anew["pairing"], &anew["margin"]), (&json!("unpaired"), &json!(0.07)));
    let narrowed = place.derny(&["compare", "result.json", "steady", "-f", "json"]).expect(0).comparison();
    assert_eq!((&narrowed["pairing"], narrowed["cases"].as_array().unwrap().len()), (&json!("unpaired"), 1));
    let broken = document.to_string().replace("\"side\":1", "\"side\":9");
    place.write("broken.json", &broken);
    let refused = place.derny(&["compare", "broken.json"]).expect(2);
    assert!(refused.err.contains("it refers to side 9, but has only 2 sides"), "{}", refused.err);
}

#[test]
fn a_document_keeps_what_it_came_to_against_a_stored_run_that_is_not_at_hand() {
    let place = Place::new();
    place.tiny(&["steady", "--save", "main"]).expect(0);
    let document = place.tiny(&["steady", "--against", "main", "--stored", "-f", "json"]).expect(0).json();
    let other = Place::new();
    other.write("result.json", &document.to_string());
    let told = other.derny(&["compare", "result.json", "-f", "json"]).expect(0).comparison();
    assert_eq!((&told["pairing"], &told["cases"]), (&json!("unpaired"), &document["comparison"]["cases"]));
    let comment = other.derny(&["compare", "result.json", "-f", "comment"]).expect(0).out;
    assert!(comment.contains("against stored run"), "{comment}");
    for words in [&["--margin", "7%"][..], &["steady"]] {
        let refused = other.derny(&[&["compare", "result.json"], words].concat()).expect(2);
        assert!(refused.err.contains("only one "), "{}", refused.err);
    }
    // A store with another run does not change the comparison.
    other.tiny(&["steady"]).expect(0);
    let again = other.derny(&["compare", "result.json", "-f", "json"]).expect(0).comparison();
    assert_eq!(again["cases"], told["cases"]);
}

#[test]
fn a_comment_has_the_worst_first_and_its_length_is_bounded() {
    let place = Place::new();
    let mut document: Document = serde_json::from_value(compared(&place)).unwrap();
    let comparison = document.comparison.as_mut().unwrap();
    let one = comparison.cases[0].clone();
    comparison.cases = (0..2_000)
        .map(|number| {
            let mut case = one.clone();
            case.case.id.benchmark = format!("@team <b> {number}");
            for change in &mut case.sides[0].changes {
                change.verdict = Verdict::Worse;
                change.change = Some(Estimate { value: f64::from(number) / 100.0, interval: None });
            }
            case
        })
        .collect();
    let text = markdown::comment(comparison, &Style::default());
    assert!((60_000..=65_000).contains(&text.chars().count()), "{}", text.len());
    let [worst, next, mild] = ["1999 ", "1998 ", "\\> 5 "].map(|name| text.find(name));
    assert!(worst.is_some() && worst < next && mild.is_none(), "{text}");
    // Unclear results are in a collapsed section.
    let comparison = document.comparison.as_mut().unwrap();
    comparison.cases.truncate(2);
    for change in &mut comparison.cases[0].sides[0].changes {
        change.verdict = Verdict::Unclear;
    }
    comparison.cases[0].sides[0].split = false;
    let folded = markdown::comment(comparison, &Style::default());
    let [changed, unclear, fold] = ["b\\> 1 ", "b\\> 0 ", "<summary>"].map(|name| folded.find(name).unwrap());
    assert!(changed < fold && fold < unclear, "{folded}");
    assert!(text.contains("more.") && !text.contains("<b>") && !text.contains(" @team"), "{text}");
}

#[test]
fn a_document_that_somebody_has_changed_is_refused_or_becomes_a_comment() {
    let place = Place::new();
    let whole = compared(&place);
    let mut all = Vec::new();
    places(&whole, "", &mut all);
    let mut comments = 0;
    for seed in 0..CHANGED {
        let mut rng = Rng(seed);
        let mut document = whole.clone();
        for _ in 0..=rng.below(2) {
            let at = &all[rng.below(all.len())];
            if let Some(value) = document.pointer_mut(at) {
                change(value, &mut rng);
            }
        }
        let Ok(document) = serde_json::from_value::<Document>(document) else { continue };
        if document.check().is_err() {
            continue;
        }
        let Some(comparison) = &document.comparison else { continue };
        let comment = catch_unwind(AssertUnwindSafe(|| markdown::comment(comparison, &Style::default())));
        let comment = comment.unwrap_or_else(|_| panic!("changed by seed {seed}"));
        assert!(comment.chars().count() <= 65_000, "changed by seed {seed}");
        comments += 1;
    }
    assert!(comments > CHANGED / 10, "{comments}");
}
