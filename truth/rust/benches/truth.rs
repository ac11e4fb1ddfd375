//! The bodies, as benchmarks of Derny.

use derny_bench::Suite;
use truth::{bodies, for_each_body, Inputs};

fn benchmarks(suite: &mut Suite) {
    macro_rules! define {
        ($($body:ident),*) => {
            $(suite.define(stringify!($body)).setup(|_| Inputs::new()).run(|inputs| bodies::$body(inputs));)*
        };
    }
    for_each_body!(define);
}

derny_bench::main!(benchmarks);
