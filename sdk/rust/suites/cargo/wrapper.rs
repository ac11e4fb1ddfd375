//! The compiler wrapper. It replaces the source of a framework's crate, and the crate `test` of benches that
//! use the built-in test harness. It passes all other arguments on unchanged, through the user's own wrapper
//! if there is one.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Environment variable with the folder of the replacement sources.
pub const SOURCES: &str = "DERNY_SUITES";
/// Environment variable with the user's own wrapper.
pub const NEXT: &str = "DERNY_NEXT_WRAPPER";
/// Environment variable with the path prefix of the crate that replaces `test`.
pub const LIBTEST: &str = "DERNY_LIBTEST";

/// Names of the replaced crates, and their new sources.
const CRATES: [(&str, &str); 5] = [
    ("criterion", "criterion/lib.rs"),
    ("codspeed_criterion_compat_walltime", "criterion/lib.rs"),
    ("divan", "divan/lib.rs"),
    ("codspeed_divan_compat_walltime", "divan/lib.rs"),
    ("divan_macros", "divan_macros/lib.rs"),
];

pub fn run(args: &[String]) -> ExitCode {
    let Some(sources) = env::var_os(SOURCES) else {
        eprintln!(
            "derny: {SOURCES} is not set: this program is internal to `derny run` and cannot be run directly"
        );
        return ExitCode::FAILURE;
    };
    let mut words: Vec<OsString> = env::var_os(NEXT).filter(|next| !next.is_empty()).into_iter().collect();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    words.extend(replaced(args, Path::new(&sources), &version).into_iter().map(OsString::from));
    words.extend(libtest(args, Path::new(&sources)));
    let Some((program, rest)) = words.split_first() else { return ExitCode::FAILURE };
    let mut command = Command::new(program);
    command.args(rest);
    replace(&mut command)
}

#[cfg(unix)]
fn replace(command: &mut Command) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let why = command.exec();
    eprintln!("derny: cannot start {}: {why}", command.get_program().to_string_lossy());
    ExitCode::FAILURE
}

#[cfg(not(unix))]
fn replace(command: &mut Command) -> ExitCode {
    let code = command.status().ok().and_then(|status| status.code()).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Returns the arguments that make a crate with the built-in test harness use our crate `test`. Stable
/// compilers reject them, as they reject `#[bench]`.
fn libtest(args: &[String], sources: &Path) -> Vec<OsString> {
    let Some(at) = args.iter().position(|arg| arg == "--crate-name") else { return Vec::new() };
    let (Some(library), true) = (env::var_os(LIBTEST), at > 0 && args.iter().any(|arg| arg == "--test"))
    else {
        return Vec::new();
    };
    let level = args.iter().find_map(|arg| arg.strip_prefix("opt-level=")).unwrap_or("0");
    let library = PathBuf::from(library).with_extension(format!("{level}.rlib"));
    // Several processes may build the library at the same time. The last one replaces the others.
    if !library.is_file() {
        let draft = library.with_extension(format!("new-{}", std::process::id()));
        let mut command = Command::new(&args[at - 1]);
        command
            .args(["--edition=2021", "--crate-type=rlib", "--crate-name=derny_test", "-C"])
            .arg(format!("opt-level={level}"));
        command.arg("--out-dir").arg(&draft).arg(sources.join("libtest/lib.rs"));
        let is_made = command.output().map_or(false, |done| done.status.success())
            && fs::rename(draft.join("libderny_test.rlib"), &library).is_ok();
        let _ = fs::remove_dir_all(&draft);
        if !is_made {
            return Vec::new();
        }
    }
    // Only `extern crate` can access the library, as with the built-in crate.
    let mut word = OsString::from("noprelude:test=");
    word.push(&library);
    vec!["-Zunstable-options".into(), "--extern".into(), word]
}

fn replaced(args: &[String], sources: &Path, version: &str) -> Vec<String> {
    let name =
        args.iter().zip(args.iter().skip(1)).find(|(word, _)| *word == "--crate-name").map(|(_, name)| name);
    let known = CRATES.iter().find(|(known, _)| name.map_or(false, |name| name == known));
    let is_test = args.iter().any(|arg| arg == "--test");
    let is_source = |arg: &str| arg.ends_with(".rs") && !arg.starts_with('-');
    let source = args
        .iter()
        .position(|arg| is_source(arg) && Path::new(arg).file_stem().map_or(false, |stem| stem == "lib"));
    let (Some((crate_name, ours)), Some(at), false) = (known, source, is_test) else { return args.to_vec() };
    let ours: PathBuf = sources.join(ours);
    let mut args: Vec<String> = args
        .iter()
        .enumerate()
        .map(|(place, arg)| match place {
            _ if place == at => ours.display().to_string(),
            _ if arg.starts_with("--edition") => "--edition=2021".to_owned(),
            _ => arg.clone(),
        })
        .collect();
    args.extend(settings(crate_name, version).into_iter().flat_map(|setting| ["--cfg".to_owned(), setting]));
    if args.iter().any(|arg| arg.starts_with("regex=")) {
        args.extend(["--cfg".to_owned(), "derny_regex".to_owned()]);
    }
    if !args.iter().any(|arg| arg.starts_with("--cap-lints")) {
        args.push("--cap-lints=allow".to_owned());
    }
    args
}

/// Returns the `--cfg` flags that describe the replaced crate to its new source.
fn settings(crate_name: &str, version: &str) -> Vec<String> {
    // Forks have other version numbers, but the interface of criterion.rs 0.5.
    let minor = version.split('.').take(2).collect::<Vec<_>>().join(".");
    let api = if crate_name == "criterion" { minor.as_str() } else { "0.5" };
    let before = |versions: &[&str]| versions.contains(&api);
    let settings = [
        ("volatile", before(&["0.3", "0.4", "0.5"])),
        ("bits", !before(&["0.3", "0.4", "0.5", "0.6"])),
        ("both", !before(&["0.3", "0.4", "0.5", "0.6", "0.7"])),
        ("codspeed", crate_name.starts_with("codspeed_")),
    ];
    let told = settings.iter().filter(|(_, is_so)| *is_so).map(|(name, _)| format!("derny_{name}"));
    std::iter::once(format!("derny_criterion=\"{api}\"")).chain(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(String::from).collect()
    }

    #[test]
    fn a_version_has_what_it_has() {
        assert_eq!(settings("criterion", "0.7.0"), ["derny_criterion=\"0.7\"", "derny_bits"]);
        assert_eq!(
            settings("codspeed_criterion_compat_walltime", "6.0.0"),
            ["derny_criterion=\"0.5\"", "derny_volatile", "derny_codspeed"]
        );
    }

    #[test]
    fn the_source_of_a_framework_is_ours_and_no_other() {
        let of = |line: &str| replaced(&words(line), Path::new("/s"), "0.3.6").join(" ");
        let line = "rustc --crate-name criterion --edition=2018 /r/criterion-0.3.6/src/lib.rs --crate-type lib --extern regex=/r";
        let ours = of(line);
        assert!(
            ours.starts_with(
                "rustc --crate-name criterion --edition=2021 /s/criterion/lib.rs --crate-type lib"
            ),
            "{ours}"
        );
        assert!(
            ours.contains(
                "--cfg derny_criterion=\"0.3\" --cfg derny_volatile --cfg derny_regex --cap-lints=allow"
            ),
            "{ours}"
        );
        let line = "rustc --crate-name codspeed_divan_compat_walltime --edition=2021 /r/src/lib.rs";
        assert!(of(line).contains("--edition=2021 /s/divan/lib.rs"), "{}", of(line));
        for other in [
            "rustc -vV",
            "rustc --crate-name serde src/lib.rs",
            "rustc --crate-name criterion --test src/lib.rs",
        ] {
            assert_eq!(of(other), other);
        }
    }
}
