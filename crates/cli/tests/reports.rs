//! `derny report`: stored results for others to read.

#![cfg(unix)]

use crate::place::Place;
use derny_testkit::page::data;

#[test]
fn one_run_in_every_form() {
    let place = Place::new();
    place.tiny(&["steady", "work"]).expect(0);
    let page = place.derny(&["report"]).expect(0).out;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    let held = data(&page, "cases-0").to_string();
    assert!(
        held.contains("\"benchmark\":\"fake/steady\"") && held.contains("\"benchmark\":\"fake/work\""),
        "{held}"
    );
    assert!(data(&page, "data").to_string().contains("DY201"));
    let only = place.derny(&["report", "last", "steady"]).expect(0).out;
    let held = data(&only, "cases-0").to_string();
    assert!(
        held.contains("\"benchmark\":\"fake/steady\"") && !held.contains("\"benchmark\":\"fake/work\""),
        "{held}"
    );
    for (name, begins) in
        [("r.md", ""), ("r.json", "{\n"), ("r.csv", "suite,"), ("r.svg", "<svg "), ("r.html", "<!doctype")]
    {
        let file = place.root.join(name);
        place.derny(&["report", "-o", file.to_str().unwrap()]).expect(0);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.starts_with(begins) && text.contains("steady"),
            "{name}: {}",
            &text[..text.len().min(200)]
        );
    }
    let verdicts = place.derny(&["report", "-f", "junit"]).expect(2);
    assert!(verdicts.err.contains("one run has none"), "{}", verdicts.err);
    place.derny(&["report", "nosuch"]).expect(4);
}

#[test]
fn several_runs_are_compared() {
    let place = Place::new();
    place.tiny(&["steady"]).expect(0);
    place.tiny(&["steady"]).expect(0);
    let ids: Vec<String> =
        place.runs().iter().map(|run| run["header"]["id"].as_str().unwrap().to_owned()).collect();
    let document = place.derny(&["report", "last~1", "last", "-f", "json"]).expect(0).json();
    let sides = document["comparison"]["sides"].as_array().unwrap();
    assert_eq!((sides.len(), sides[1]["run"].as_str()), (2, Some(ids[0].as_str())));
    assert_eq!(document["run"]["id"].as_str(), Some(ids[0].as_str()), "the last one named is shown");
    let alone = place.derny(&["report", "-f", "json"]).expect(0).json();
    assert!(alone["comparison"].is_null());
    let junit = place.derny(&["report", "last~1", "last", "steady", "-f", "junit"]).expect(0).out;
    assert!(junit.contains("<testsuite"), "{junit}");
    let file = place.write("run.json", &place.derny(&["report", "-f", "json"]).expect(0).out);
    let read = place.derny(&["report", file.to_str().unwrap()]).expect(0).out;
    assert!(read.contains(&format!("<title>Derny: run {}</title>", ids[0])));
}
