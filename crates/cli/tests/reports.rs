//! Tests `derny report`, which writes stored results for other readers.

#![cfg(unix)]

use crate::place::Place;
use derny_testkit::page::data;

#[test]
fn one_run_is_a_page() {
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
    place.derny(&["report", "-o", "r.html"]).expect(0);
    assert!(place.read("r.html").starts_with("<!doctype"));
    place.derny(&["report", "nosuch"]).expect(4);
}

#[test]
fn several_runs_are_compared() {
    let place = Place::new();
    place.tiny(&["steady"]).expect(0);
    place.tiny(&["steady"]).expect(0);
    let ids: Vec<String> =
        place.runs().iter().map(|run| run["header"]["id"].as_str().unwrap().to_owned()).collect();
    let document = |words: &[&str]| {
        let page = place.derny(&[&["report"], words].concat()).expect(0).out;
        data(&page, "data")["document"].clone()
    };
    let both = document(&["last~1", "last", "steady"]);
    let sides = both["comparison"]["sides"].as_array().unwrap();
    assert_eq!((sides.len(), sides[1]["run"].as_str()), (2, Some(ids[0].as_str())));
    assert_eq!(both["run"]["id"].as_str(), Some(ids[0].as_str()), "the last one named is shown");
    assert!(document(&[])["comparison"].is_null());
    let file = place.write("run.json", &place.derny(&["show", "-f", "json"]).expect(0).out);
    let read = place.derny(&["report", file.to_str().unwrap()]).expect(0).out;
    assert!(read.contains(&format!("<title>run {} · 1 case</title>", ids[0])));
}

#[test]
fn a_page_knows_its_project_and_the_runs_before() {
    let place = Place::new();
    place.tiny(&["steady"]).expect(0);
    let first = data(&place.derny(&["report"]).expect(0).out, "data");
    assert_eq!(first["past"].as_array().map(Vec::len), Some(1));
    place.tiny(&["steady"]).expect(0);
    let page = place.derny(&["report"]).expect(0).out;
    let past = data(&page, "data")["past"].clone();
    assert_eq!(past.as_array().map(Vec::len), Some(2), "without commits, each run is a place: {past}");
    let points = data(&page, "cases-0")[0][2].clone();
    let ids: Vec<&str> = points.as_array().unwrap().iter().map(|point| point[2].as_str().unwrap()).collect();
    let runs = place.runs();
    let newest_first: Vec<&str> = runs.iter().map(|run| run["header"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [newest_first[1], newest_first[0]], "oldest first");
    let name = place.root.file_name().unwrap().to_string_lossy().into_owned();
    assert!(page.contains(&format!("<title>{name}: run {} · 1 case</title>", newest_first[0])));
}
