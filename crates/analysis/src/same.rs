//! Detects sides that run the same code by mistake.

use derny_model::{Built, Package, RunHeader, Variant};
use std::fmt;

/// The code that two sides share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Same {
    /// Packages with their versions, such as `shop 1.0`.
    pub what: String,
    /// Paths from which both sides load the same files. Empty if equal files come from different paths.
    pub places: Vec<String>,
    /// Installed copies that each side ignores, because another copy comes first.
    pub hidden: [Vec<String>; 2],
    /// Other differences, such as `numpy 1.26.4 and 2.0.1`.
    pub differ: Vec<String>,
}

impl Same {
    /// Returns true if a side probably does not measure the intended code. Both sides load the same files. In
    /// addition, either nothing else differs, or the sides ignore different installed copies.
    pub fn is_by_accident(&self) -> bool {
        !self.places.is_empty() && (self.differ.is_empty() || self.hidden[0] != self.hidden[1])
    }
}

impl fmt::Display for Same {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.places.is_empty() {
            true => write!(f, "are the same {}, byte for byte", self.what)?,
            false => write!(f, "load the same files of {}, {}", self.what, self.places.join(", "))?,
        }
        match self.differ.is_empty() {
            true => Ok(()),
            false => write!(f, "; they differ in {}", self.differ.join(", ")),
        }
    }
}

const NAMED: usize = 4;

/// Compares the packages of two sides. Returns `None` if the packages under test differ or are unknown.
pub fn packages(mine: &[Package], theirs: &[Package]) -> Option<Same> {
    let pairs: Vec<(&Package, &Package)> = mine
        .iter()
        .filter_map(|one| Some((one, theirs.iter().find(|other| other.name == one.name)?)))
        .collect();
    let own: Vec<_> = pairs.iter().filter(|(one, other)| one.own || other.own).collect();
    let alone = |all: &[Package], others: &[Package]| {
        all.iter().any(|one| one.own && others.iter().all(|other| other.name != one.name))
    };
    if own.is_empty() || alone(mine, theirs) || alone(theirs, mine) {
        return None;
    }
    let is_same = |(one, other): &(&Package, &Package)| {
        one.from == other.from || (!one.hash.is_empty() && one.hash == other.hash)
    };
    if !own.iter().all(|pair| is_same(pair)) {
        return None;
    }
    let is_one_place = own.iter().all(|(one, other)| one.from == other.from);
    let named = |all: Vec<String>| {
        let more = all.len().saturating_sub(NAMED);
        let first = all.into_iter().take(NAMED);
        first.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<String>>()
    };
    let hidden = |of: fn(&(&Package, &Package)) -> String| {
        own.iter().map(|pair| of(pair)).filter(|hides| !hides.is_empty()).collect::<Vec<String>>()
    };
    let differing =
        pairs.iter().filter(|pair| !is_same(pair)).map(|(one, other)| match one.version == other.version {
            true => format!("the files of {}", titled(one)),
            false => format!("{} and {}", titled(one), other.version),
        });
    let only = |all: &[Package], others: &[Package]| -> Vec<String> {
        let alone = all.iter().filter(|one| others.iter().all(|other| other.name != one.name));
        alone.map(|one| format!("{}, which one side lacks", titled(one))).collect()
    };
    let differ = differing.chain(only(mine, theirs)).chain(only(theirs, mine)).collect();
    Some(Same {
        what: named(own.iter().map(|(one, _)| titled(one)).collect()).join(", "),
        places: if is_one_place {
            named(own.iter().map(|(one, _)| one.from.clone()).collect())
        } else {
            Vec::new()
        },
        hidden: [hidden(|(one, _)| one.hides.clone()), hidden(|(_, other)| other.hides.clone())],
        differ: named(differ),
    })
}

fn titled(package: &Package) -> String {
    format!("{} {}", package.name, package.version).trim_end().to_owned()
}

/// Describes how two variants of a run are the same code. Returns `None` if they differ, also if they do so
/// on purpose in something else, or if that is unknown.
pub(crate) fn variants(run: &RunHeader, one: u32, other: u32) -> Option<String> {
    let (first, second) = (run.variants.get(one as usize)?, run.variants.get(other as usize)?);
    if let Some(same) = packages(&first.packages, &second.packages) {
        return (!is_meant(first, second, &same)).then(|| same.to_string());
    }
    let way = |variant: &Variant| (variant.args.clone(), variant.env.clone(), variant.benchmark.clone());
    if second.control || second.again.is_some() || way(first) != way(second) {
        return None;
    }
    programs(&run.built, one, other).then(|| "are the same program, byte for byte".to_owned())
}

/// Returns true if two variants with the same code differ on purpose in something else. Load paths and
/// package sets do not count, because they decide which code is loaded.
fn is_meant(first: &Variant, second: &Variant, same: &Same) -> bool {
    let is_one_way = (&first.command, &first.revision) == (&second.command, &second.revision);
    is_one_way && !same.places.is_empty() && same.differ.is_empty()
}

/// Returns true if two variants were built to identical bytes in different places. Excludes programs that
/// need their source files at run time, because they may still differ.
fn programs(built: &[Built], one: u32, other: u32) -> bool {
    let of = |variant: u32| built.iter().filter(move |built| built.variant == variant);
    let is_same = |(mine, theirs): (&Built, &Built)| {
        let hashes =
            |built: &Built| built.programs.iter().map(|program| program.hash.clone()).collect::<Vec<_>>();
        mine.suite == theirs.suite
            && !mine.programs.is_empty()
            && !mine.needs_sources
            && hashes(mine) == hashes(theirs)
            && mine.programs.iter().zip(&theirs.programs).all(|(one, other)| one.path != other.path)
    };
    of(one).count() > 0 && of(one).count() == of(other).count() && of(one).zip(of(other)).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, from: &str, own: bool) -> Package {
        let text = |text: &str| text.to_owned();
        let hash = format!("{name}{version}");
        Package {
            name: text(name),
            version: text(version),
            from: text(from),
            hash,
            hides: String::new(),
            own,
        }
    }

    #[test]
    fn sides_are_the_same_by_bytes_or_by_place_and_what_else_differs_is_named() {
        let side = |shop: &str, place: &str, six: &str| {
            vec![package("shop", shop, place, true), package("six", six, "/six", false)]
        };
        assert_eq!(packages(&side("1", "/a", "1"), &side("2", "/b", "1")), None);
        let said = |one: &[Package], other: &[Package]| packages(one, other).map(|same| same.to_string());
        let bytes = said(&side("1", "/a", "1"), &side("1", "/b", "1"));
        assert_eq!(bytes.as_deref(), Some("are the same shop 1, byte for byte"));
        let mut other = side("1", "/a", "2");
        other[1].from = "/other".into();
        let same = packages(&side("1", "/a", "1"), &other).unwrap();
        assert_eq!(same.to_string(), "load the same files of shop 1, /a; they differ in six 1 and 2");
        assert!(!same.is_by_accident(), "another package may be what is compared");
        other[0].hides = "2 of /installed".into();
        assert!(packages(&side("1", "/a", "1"), &other).unwrap().is_by_accident());
        assert!(packages(&side("1", "/a", "1"), &side("1", "/a", "1")).unwrap().is_by_accident());
    }

    #[test]
    fn sides_that_differ_by_a_variable_are_named_where_it_has_led_to_another_place() {
        let side = |value: &str, place: &str| Variant {
            env: vec![("FOLDERS".into(), value.into())],
            packages: vec![package("shop", "1", place, true)],
            ..Variant::default()
        };
        let base = side("/a", "/a");
        let meant = |other: Variant| {
            let same = packages(&base.packages, &other.packages).unwrap();
            is_meant(&base, &other, &same)
        };
        assert!(!meant(side("/b", "/b")));
        assert!(meant(side("/data", "/a")), "the variable is about something else");
        assert!(!meant(Variant { command: Some(vec!["python".into()]), ..side("/a", "/a") }));
    }

    #[test]
    fn nothing_is_said_where_it_is_not_known_what_benchmarks_are_about() {
        let only = |name: &str, own| vec![package(name, "1", "/a", own)];
        assert_eq!(packages(&only("six", false), &only("six", false)), None);
        assert_eq!(packages(&only("shop", true), &only("store", true)), None);
        let mut unhashed = [only("shop", true), only("shop", true)];
        unhashed[1][0].from = "/b".into();
        unhashed.iter_mut().for_each(|side| side[0].hash.clear());
        assert_eq!(packages(&unhashed[0], &unhashed[1]), None);
    }
}
