//! The vectors. They are embedded in the binary, so that `derny dev conform` works without a checkout.

macro_rules! vectors {
    ($($name:literal)*) => {
        /// Name and text of every vector of `protocol/vectors/`.
        pub const ALL: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../protocol/vectors/", $name, ".txt")))),*];
    };
}

vectors! {
    "check-hash"
    "check-once"
    "collect-tells-time"
    "count-exact"
    "count-one-call"
    "edge-empty-value"
    "edge-encoding"
    "edge-needless-encoding"
    "edge-unknown-keys"
    "error-in-body"
    "error-in-setup"
    "error-in-teardown"
    "hello-introduces"
    "hostile-fields"
    "hostile-mode"
    "hostile-order"
    "hostile-unknown-verb"
    "list-all-cases"
    "list-given-values"
    "list-prepare"
    "list-test-mode"
    "list-then-open"
    "list-twice"
    "measure-async"
    "measure-hash"
    "measure-lead"
    "measure-many-batches"
    "measure-one-batch"
    "measure-within"
    "open-again"
    "open-skip"
    "open-unknown"
    "open-unlisted"
    "overhead-self"
    "overhead-turn"
    "quit-with-open-case"
    "self-timed"
    "settle-tells-time"
    "values-undeclared"
    "values-without-times"
}
