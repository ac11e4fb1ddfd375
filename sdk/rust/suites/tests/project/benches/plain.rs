// Neither `criterion_main!` nor anything else of criterion.rs: never run.
fn main() {
    std::fs::write("plain-was-run", "").unwrap();
}
