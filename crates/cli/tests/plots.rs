//! Tests `derny plot`, which draws stored runs.

#![cfg(unix)]

use crate::place::Place;

fn drawn(place: &Place) -> String {
    place.tiny(&["steady", "work"]).expect(0);
    place.tiny(&["sized"]).expect(0);
    let id = place.runs()[1]["header"]["id"].as_str().unwrap().to_owned();
    for kind in ["box", "interval", "density", "trace"] {
        let svg = place.derny(&["plot", &id, "steady", "--kind", kind]).expect(0).out;
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{kind}: {svg}");
        assert!(svg.contains("steady") && !svg.contains(">work<"), "{kind}: {svg}");
    }
    id
}

#[test]
fn every_kind_is_drawn() {
    let place = Place::new();
    let id = drawn(&place);
    let scatter = place.derny(&["plot", "sized", "--over", "n", "--linear"]).expect(0).out;
    assert!(scatter.contains(">n</text>"), "{scatter}");
    let log = place.derny(&["plot", "sized", "--over", "n", "--log"]).expect(0).out;
    assert!(log.contains("n (logarithmic)"), "{log}");
    let rate = place.derny(&["plot", &id, "-k", "interval", "-m", "rate", "--title", "a<b"]).expect(0).out;
    assert!(rate.contains("operations per second") && rate.contains("a&lt;b"));
    let dark = place.derny(&["plot", &id, "--theme", "dark", "--size", "500"]).expect(0).out;
    assert!(dark.contains("width=\"500\"") && dark.contains("#14171b"));
}

#[test]
fn files_get_the_form_of_their_name() {
    let place = Place::new();
    place.tiny(&["steady"]).expect(0);
    let (png, svg) = (place.root.join("a.png"), place.root.join("a.svg"));
    place.derny(&["plot", "-o", png.to_str().unwrap()]).expect(0);
    place.derny(&["plot", "-o", svg.to_str().unwrap()]).expect(0);
    let bytes = std::fs::read(&png).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let width = u32::from_be_bytes(bytes[16..20].try_into().unwrap());
    assert_eq!(width, 2 * 860, "two pixels for each");
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg "));
    let document = place.derny(&["show", "-f", "json"]).expect(0).out;
    let file = place.write("run.json", &document);
    place.derny(&["plot", file.to_str().unwrap()]).expect(0);
    let turns = place.derny(&["plot", file.to_str().unwrap(), "-k", "trace"]).expect(2);
    assert!(turns.err.contains("a document contains no turns"), "{}", turns.err);
}
