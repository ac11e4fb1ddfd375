// Uses neither `criterion_main!` nor anything else of criterion.rs, so it must never run.
fn main() {
    std::fs::write("plain-was-run", "").unwrap();
}
