//! Partners: a variant may measure another benchmark of the suite. The case keeps its name, but the variant
//! opens its partner: the case of the other benchmark with the same parameters.

use crate::discover::catalogue::Catalogue;
use crate::discover::pattern::closest;
use derny_model::{Case, CaseId, Variant};

/// A case that is not measured because a variant has no partner for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpaired {
    /// Name of the case.
    pub case: String,
    /// The reason, in one sentence.
    pub why: String,
}

impl Catalogue {
    /// Finds the partners of every case among all listed cases. Removes cases without a partner, and returns
    /// them. Also removes cases of benchmarks that serve only as partners, because these would be compared
    /// with themselves.
    pub fn pair(&mut self, variants: &[Variant]) -> Vec<Unpaired> {
        let names: Vec<Option<Name>> =
            variants.iter().map(|variant| Some(self.name(variant.benchmark.as_ref()?))).collect();
        let others: Vec<&Name> = names.iter().flatten().collect();
        if others.is_empty() {
            return Vec::new();
        }
        match &names[0] {
            Some(first) => self.retain(|case| first.is_of(&case.id)),
            None => self.retain(|case| !others.iter().any(|name| name.is_of(&case.id))),
        }
        let found: Vec<Result<Vec<Partner>, String>> =
            self.cases.iter().map(|case| self.partners_of(case, &names)).collect();
        let mut unpaired = Vec::new();
        for (case, found) in self.cases.iter().zip(&found) {
            if let Err(why) = found {
                unpaired.push(Unpaired { case: case.id.to_string(), why: why.clone() });
            }
        }
        let mut keep = found.iter().map(Result::is_ok);
        let kept: Vec<String> =
            self.cases.iter().filter(|_| keep.next() == Some(true)).map(|case| case.id.to_string()).collect();
        self.retain(|case| kept.contains(&case.id.to_string()));
        for (i, partners) in found.into_iter().flatten().enumerate() {
            let case = &mut self.cases[i];
            // The variants need different processes for this case, so other cases cannot share them.
            case.isolate = true;
            for (variant, partner, source) in partners {
                case.max_iterations =
                    [case.max_iterations, partner.max_iterations].into_iter().flatten().min();
                self.partners.insert((i as u32, variant), (partner, source));
            }
        }
        unpaired
    }

    /// Returns the benchmark for a typed name, which may be `SUITE/BENCHMARK` as in `derny list`.
    fn name(&self, typed: &str) -> Name {
        let own = self.listed.iter().any(|(case, _)| case.id.benchmark == typed);
        let split = |(case, _): &(Case, usize)| {
            let rest = typed.strip_prefix(case.id.suite.as_str())?.strip_prefix('/')?;
            (rest == case.id.benchmark).then(|| (Some(case.id.suite.clone()), rest.to_owned()))
        };
        let in_suite = self.listed.iter().find_map(split).filter(|_| !own);
        let (suite, benchmark) = in_suite.unwrap_or_else(|| (None, typed.to_owned()));
        Name { suite, benchmark }
    }

    fn partners_of(&self, case: &Case, names: &[Option<Name>]) -> Result<Vec<Partner>, String> {
        let mut partners = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let Some(name) = name.as_ref().filter(|name| !name.is_of(&case.id)) else { continue };
            let wanted = CaseId { benchmark: name.benchmark.clone(), ..case.id.clone() };
            let is_other_suite = name.suite.as_ref().is_some_and(|suite| *suite != case.id.suite);
            let mut same = self.listed.iter().filter(|(other, _)| !is_other_suite && other.id == wanted);
            let (partner, source) = same.next().ok_or_else(|| self.no_partner(case, name))?;
            if partner.timing != case.timing || partner.ops != case.ops || partner.again != case.again {
                return Err(format!(
                    "`{}` is timed differently, or counts operations differently",
                    partner.id
                ));
            }
            partners.push((number as u32, partner.clone(), *source));
        }
        Ok(partners)
    }

    /// Explains why a case has no partner. Suggests the benchmark of the suite with the most similar name.
    fn no_partner(&self, case: &Case, name: &Name) -> String {
        let (suite, benchmark) = (&case.id.suite, name.benchmark.as_str());
        let within = benchmark.strip_prefix(suite.as_str()).and_then(|rest| rest.strip_prefix('/'));
        let benchmark = within.unwrap_or(benchmark);
        let own = self.listed.iter().filter(|(other, _)| other.id.suite == *suite);
        let own: Vec<&str> = own.map(|(other, _)| other.id.benchmark.as_str()).collect();
        let near = match own.contains(&benchmark) {
            true => None,
            false => closest(benchmark, own.into_iter()).into_iter().next(),
        };
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        format!("suite `{suite}` has no `{benchmark}` with the same parameters{near}")
    }
}

struct Name {
    suite: Option<String>,
    benchmark: String,
}

impl Name {
    fn is_of(&self, id: &CaseId) -> bool {
        self.benchmark == id.benchmark && self.suite.as_ref().is_none_or(|suite| *suite == id.suite)
    }
}

/// Index of a variant, the case that it opens, and the index of that case's source.
type Partner = (u32, Case, usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover;

    fn case(benchmark: &str, n: &str) -> Case {
        let params = vec![("n".to_string(), n.to_string())];
        Case::new(CaseId { suite: "sort".into(), benchmark: benchmark.into(), params })
    }

    fn catalogue(cases: Vec<Case>) -> Catalogue {
        let source = discover::command(std::path::Path::new("."), &["x".to_string()]);
        let source_of = vec![0; cases.len()];
        let listed = cases.iter().map(|case| (case.clone(), 0)).collect();
        Catalogue { sources: vec![source], source_of, cases, listed, ..Catalogue::default() }
    }

    fn variant(name: &str, benchmark: Option<&str>) -> Variant {
        Variant { name: name.into(), benchmark: benchmark.map(String::from), ..Variant::default() }
    }

    fn names(catalogue: &Catalogue) -> Vec<String> {
        catalogue.cases.iter().map(|case| case.id.to_string()).collect()
    }

    #[test]
    fn a_case_meets_the_other_benchmark_with_its_parameters() {
        let mut fast = case("fast", "20");
        fast.max_iterations = Some(7);
        let mut catalogue = catalogue(vec![case("slow", "10"), case("fast", "10"), fast, case("slow", "20")]);
        catalogue.retain(|case| case.id.benchmark == "slow");
        let left = catalogue.pair(&[variant("a", None), variant("b", Some("fast"))]);
        assert!(left.is_empty());
        assert_eq!(catalogue.opened(1, 1).0.id.to_string(), case("fast", "20").id.to_string());
        assert_eq!(catalogue.opened(1, 0).0.id.benchmark, "slow");
        assert_eq!(catalogue.cases[1].max_iterations, Some(7), "the smaller limit holds for both");
        assert!(catalogue.cases[0].isolate);
    }

    #[test]
    fn a_case_without_a_partner_is_left_out_and_told() {
        let mut other = case("fast", "30");
        other.ops = 5.0;
        let mut catalogue = catalogue(vec![
            case("slow", "10"),
            case("slow", "20"),
            case("fast", "20"),
            case("slow", "30"),
            other,
        ]);
        let left = catalogue.pair(&[variant("a", None), variant("b", Some("fast"))]);
        assert_eq!(names(&catalogue), [case("slow", "20").id.to_string()]);
        assert_eq!(left.len(), 2);
        assert!(left[0].why.contains("no `fast`") && left[1].why.contains("operations"), "{left:?}");
        assert_eq!(catalogue.opened(0, 1).0.id.benchmark, "fast");
    }

    #[test]
    fn a_partner_is_named_as_the_list_prints_it() {
        let mut catalogue = catalogue(vec![case("slow", "1"), case("a/fast", "1")]);
        let left = catalogue.pair(&[variant("a", Some("sort/slow")), variant("b", Some("sort/a/fast"))]);
        assert!(left.is_empty());
        assert_eq!(names(&catalogue), [case("slow", "1").id.to_string()]);
        assert_eq!(catalogue.opened(0, 1).0.id.benchmark, "a/fast");
        catalogue.partners.clear();
        let left = catalogue.pair(&[variant("a", None), variant("b", Some("sort/a/fsat"))]);
        assert!(left[0].why.ends_with("did you mean `a/fast`?"), "{left:?}");
    }

    #[test]
    fn two_names_are_one_comparison() {
        let mut catalogue = catalogue(vec![case("slow", "1"), case("fast", "1"), case("third", "1")]);
        let left = catalogue.pair(&[variant("a", Some("fast")), variant("b", Some("third"))]);
        assert!(left.is_empty());
        assert_eq!(names(&catalogue), [case("fast", "1").id.to_string()]);
        assert_eq!(catalogue.opened(0, 1).0.id.benchmark, "third");
        let mut plain = catalogue.clone();
        plain.partners.clear();
        assert!(plain.pair(&[variant("a", None)]).is_empty());
        assert_eq!(plain.cases, catalogue.cases);
    }
}
