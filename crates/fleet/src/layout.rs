//! The layout of a plan file with builds, which is a gzipped tar.

use derny_model::{Problem, problem};
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Name of the plan in the tar.
pub const PLAN: &str = "plan.json";
/// Name of the list of builds in the tar.
pub const BUILDS: &str = "builds.json";
/// Name of the folder with the builds in the tar.
pub const FOLDER: &str = "builds";

/// Returns true if a file is a plan with builds. Checks only that it begins like a gzip file.
pub fn is_carrying(file: &Path) -> bool {
    let mut first = [0; 2];
    File::open(file).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == [0x1f, 0x8b]
}

pub fn gzipped(file: &Path) -> io::Result<GzDecoder<BufReader<File>>> {
    Ok(GzDecoder::new(BufReader::new(File::open(file)?)))
}

/// Returns the error for a file that `derny fleet plan --build` did not write, or that is incomplete.
pub fn broken(file: &Path, why: &dyn std::fmt::Display) -> Problem {
    problem!("{} cannot be used", file.display())
        .why(why)
        .remedy("copy it again, or make it again with `derny fleet plan --build -o plan.tar`")
}
