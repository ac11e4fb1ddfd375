use super::*;

fn case(suite: &str, benchmark: &str, params: &[(&str, &str)], file: &str) -> Case {
    let params = params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let id = CaseId { suite: suite.into(), benchmark: benchmark.into(), params };
    Case { file: Some(file.into()), ..Case::new(id) }
}

fn all() -> Vec<Case> {
    let words = |benchmark, n| case("words", benchmark, &[("n", n), ("kind", "a/b")], "lib/words.bench.js");
    vec![
        words("join", "10"),
        words("join", "1000"),
        words("join fast", "10"),
        words("concat", "10"),
        case("string_decoder", "ascii", &[], "w.bench.js"),
        case("string_decoder", "join", &[], "w.bench.js"),
    ]
}

/// Returns the indices of the selected cases. Words that start with `!` exclude cases.
fn selected(words: &[&str]) -> Vec<usize> {
    let all = all();
    let cases: Vec<&Case> = all.iter().collect();
    let of = |excluded: bool| {
        let words = words.iter().filter(move |word| word.starts_with('!') == excluded);
        words.map(|word| word.trim_start_matches('!').to_string()).collect()
    };
    let selector = Selector { patterns: of(false), excludes: of(true), params: Vec::new() };
    let chosen = selector.choose(&cases);
    (0..all.len()).filter(|i| chosen.has(&all[*i])).collect()
}

#[test]
fn a_name_as_listed_selects_that_case_and_no_other() {
    for (number, case) in all().iter().enumerate() {
        assert_eq!(selected(&[&case.id.to_string()]), [number], "{}", case.id);
    }
}

#[test]
fn words_mean_whole_names_then_tokens_then_parts() {
    for (words, expected) in [
        (&["join"][..], &[0, 1, 5][..]),
        (&["words/join"], &[0, 1]),
        (&["join n=10"], &[0]),
        (&["join kind=a/b"], &[0, 1]),
        (&["fast"], &[2]),
        (&["words"], &[0, 1, 2, 3]),
        (&["decoder"], &[4, 5]),
        (&["asc"], &[4]),
        (&["decoder/asc"], &[4]),
        (&["concat", "ascii"], &[3, 4]),
        (&["nosuch"], &[]),
    ] {
        assert_eq!(selected(words), expected, "{words:?}");
    }
}

#[test]
fn parameters_files_and_names_narrow_each_other() {
    for (words, expected) in [
        (&["n=10"][..], &[0, 2, 3][..]),
        (&["n=1*"], &[0, 1, 2, 3]),
        (&["n=10", "n=1000"], &[0, 1, 2, 3]),
        (&["n=10", "kind=a/b", "join"], &[0]),
        (&["join", "n=10"], &[0]),
        (&["n=77"], &[]),
        (&["w.bench.js"], &[4, 5]),
        (&["w.bench.js", "join"], &[5]),
        (&["lib", "join", "n=1000"], &[1]),
        (&["lib/", "w.bench.js", "join"], &[0, 1, 5]),
        (&["w.bench.js", "concat"], &[]),
        (&[".", "!join"], &[2, 3, 4]),
        (&["join", "!n=10"], &[1, 5]),
    ] {
        assert_eq!(selected(words), expected, "{words:?}");
    }
}

#[test]
fn globs_match_from_beginning_to_end() {
    for (words, expected) in [
        (&["asc*"][..], &[4][..]),
        (&["string_decoder/*"], &[4, 5]),
        (&["string*"], &[4, 5]),
        (&["tring*"], &[]),
        (&["**n=10 **"], &[0, 2, 3]),
    ] {
        assert_eq!(selected(words), expected, "{words:?}");
    }
}

#[test]
fn what_no_case_fits_is_named_with_what_is_near() {
    let all = all();
    let cases: Vec<&Case> = all.iter().collect();
    let refused = |words: &[&str]| {
        let patterns = words.iter().map(|word| word.to_string()).collect();
        let selector = Selector { patterns, ..Selector::default() };
        refusal(&selector.choose(&cases), &cases, "of run x").to_string()
    };
    let near = refused(&["join", "conact"]);
    assert!(near.starts_with("no case of run x matches `conact`\n  known  words/concat"), "{near}");
    assert_eq!(refused(&["n=77"]), "no case of run x matches `n=77`\n  known  n=10, n=1000");
    assert_eq!(refused(&["w.bench.js", "concat"]), "no case of run x matches all words of the selection");
}

#[test]
fn a_part_of_a_name_is_told_apart() {
    let all = all();
    let cases: Vec<&Case> = all.iter().collect();
    let patterns = vec!["join".to_string(), "asc".to_string()];
    let chosen = Selector { patterns, ..Selector::default() }.choose(&cases);
    assert_eq!((chosen.count(), chosen.of, chosen.parts), (4, 6, vec!["asc".to_string()]));
}

#[test]
fn what_is_below_a_case_may_be_meant() {
    let parent = Case::new(CaseId { suite: "go".into(), benchmark: "Sort".into(), params: Vec::new() });
    let of = |pattern: &str| {
        let selector = Selector { patterns: vec![pattern.into()], ..Selector::default() };
        selector.admits_below(&parent)
    };
    for pattern in ["quick", "Sort/quick", "Sort/*", "go/Sort/q*", "**/quick", "S*"] {
        assert!(of(pattern), "{pattern}");
    }
    assert!(!of("Map/*") && !of("js/*"));
    assert!(Selector::default().admits_below(&parent));
}

#[test]
fn a_file_is_apart_from_words_that_name_other_cases() {
    let is_apart = |words: &[&str], file: &str| {
        let patterns = words.iter().map(|word| (*word).to_owned()).collect();
        Selector { patterns, ..Selector::default() }.is_apart_from(file)
    };
    assert!(is_apart(&["sort/quick"], "bench/text.bench.js"));
    assert!(is_apart(&["quick n=10", "n=10"], "bench/text.bench.js"));
    assert!(is_apart(&["bench/sort.bench.js"], "text.bench.js"));
    for words in [&[][..], &["n=10"], &["*"], &["sort/quick", "text"], &["text/upper"], &["bench"]] {
        assert!(!is_apart(words, "bench/text.bench.js"), "{words:?}");
    }
}

#[test]
fn a_folder_admits_only_the_files_under_it() {
    let root = std::env::temp_dir().join(format!("derny-pattern-{}", std::process::id()));
    std::fs::create_dir_all(root.join("a")).unwrap();
    std::fs::create_dir_all(root.join("empty")).unwrap();
    let all = ["a/x.bench.js".to_string(), "ab/x.bench.js".to_string()];
    let admitted = |patterns: &[&str]| -> Vec<usize> {
        let patterns = patterns.iter().map(|pattern| pattern.to_string()).collect();
        let selector = Selector { patterns, ..Selector::default() };
        (0..2).filter(|i| selector.admits(&root, &all, &all[*i])).collect()
    };
    assert_eq!(admitted(&["./a/"]), [0]);
    assert_eq!(admitted(&["a", "join"]), [0], "a name narrows a folder");
    assert_eq!(admitted(&["no such path"]), [0, 1]);
    assert_eq!(admitted(&["empty"]), [0, 1], "a folder without benchmarks may be a name");
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn closest_finds_the_slip() {
    let names = ["string_decoder/ascii", "url/parse"];
    assert_eq!(closest("decodr", names.into_iter()), ["string_decoder/ascii"]);
    assert!(closest("zzzzqqq", names.into_iter()).is_empty());
    assert_eq!(closest("prase", names.into_iter()), ["url/parse"], "two letters exchanged");
    assert!(closest("js", ["haskell"].into_iter()).is_empty());
}

/// Returns cases with names like those of other tools.
fn of_tools() -> Vec<Case> {
    let test = |name| case("tests", name, &[], "tests/test_a.py");
    let module = |module: &str, case: Case| Case { module: Some(module.into()), ..case };
    vec![
        test("test_a.py::test_x[1]"),
        test("test_a.py::test_x[a b=c/d.e::f*]"),
        test("test_a.py::test_xy[1]"),
        test("test_a.py::TestC::test_m[0.5]"),
        test("test_a.py::TestC::test_n"),
        case("tests", "test_b.py::test_x[1]", &[], "tests/test_b.py"),
        case("suite", "mod.Class.time_x", &[("n", "10")], "benchmarks/mod.py"),
        case("suite", "mod.Class.time_x", &[("n", "20")], "benchmarks/mod.py"),
        case("sort", "BenchmarkSort/n=10", &[], "sort_test.go"),
        case("sort", "BenchmarkSort/n=100", &[], "sort_test.go"),
        case("sort", "BenchmarkMux/route:/sup/123/and/this", &[], "sort_test.go"),
        module("org.x.Bench", case("x/Bench", "parse", &[("n", "1")], "x/Bench.java")),
        module("org.x.Bench", case("x/Bench", "parseAll", &[], "x/Bench.java")),
        case("benches", "group/id/10", &[], "benches/a.rs"),
        case("benches", "group/id/100", &[], "benches/a.rs"),
    ]
}

fn of_tools_selected(word: &str) -> Vec<usize> {
    let all = of_tools();
    let cases: Vec<&Case> = all.iter().collect();
    let chosen = Selector { patterns: vec![word.into()], ..Selector::default() }.choose(&cases);
    (0..all.len()).filter(|i| chosen.has(&all[*i])).collect()
}

#[test]
fn the_name_that_a_tool_prints_selects_its_case_and_no_other() {
    let printed = |printed: &str, params: &[(&str, &str)]| Case {
        printed: Some(printed.into()),
        ..case("bench", "BM_copy/real_time", params, "bench.cc")
    };
    let all = [
        printed("BM_copy/n:8/real_time", &[("n", "8")]),
        printed("BM_copy/n:80/real_time", &[("n", "80")]),
        case("bench", "BM_copy", &[], "bench.cc"),
    ];
    let cases: Vec<&Case> = all.iter().collect();
    let chosen = Selector { patterns: vec!["BM_copy/n:8/real_time".into()], ..Selector::default() };
    let chosen = chosen.choose(&cases);
    assert_eq!(all.iter().map(|case| chosen.has(case)).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn every_name_selects_its_case_whatever_characters_it_holds() {
    for (number, case) in of_tools().iter().enumerate() {
        assert_eq!(of_tools_selected(&case.id.to_string()), [number], "{}", case.id);
    }
}

#[test]
fn names_of_the_suites_own_tools_select_what_they_mean_there() {
    for (word, expected) in [
        ("tests/test_a.py::test_x[1]", &[0][..]),
        ("./tests/test_a.py::test_x[1]", &[0]),
        ("tests/test_a.py::test_x[a b=c/d.e::f*]", &[1]),
        ("test_a.py::test_x[a b=c/d.e::f*]", &[1]),
        ("tests/test_a.py::test_x", &[0, 1]),
        ("test_a.py::test_x", &[0, 1]),
        ("tests/test_a.py::TestC", &[3, 4]),
        ("tests/test_a.py::TestC::test_m", &[3]),
        ("TestC::test_m[0.5]", &[3]),
        ("TestC", &[3, 4]),
        ("test_x", &[0, 1, 5]),
        ("test_x[1]", &[0, 5]),
        ("tests/test_a.py", &[0, 1, 2, 3, 4]),
        ("mod.Class.time_x", &[6, 7]),
        ("mod.Class.time_x n=10", &[6]),
        ("Class.time_x", &[6, 7]),
        ("time_x", &[6, 7]),
        ("BenchmarkSort/n=10", &[8]),
        ("BenchmarkSort", &[8, 9]),
        ("BenchmarkMux/route:/sup/123/and/this", &[10]),
        ("org.x.Bench.parse", &[11]),
        ("org.x.Bench.parse n=1", &[11]),
        ("Bench.parse", &[11]),
        ("parse", &[11]),
        ("org.x.Bench", &[11, 12]),
        ("group/id/10", &[13]),
        ("group/id", &[13, 14]),
        ("**::test_x[?]", &[0, 5]),
    ] {
        assert_eq!(of_tools_selected(word), expected, "{word}");
    }
}

#[test]
fn a_name_that_begins_with_a_file_admits_that_file_alone() {
    let root = std::env::temp_dir().join(format!("derny-named-{}", std::process::id()));
    std::fs::create_dir_all(root.join("t")).unwrap();
    std::fs::write(root.join("t/test_a.py"), "").unwrap();
    let selector = Selector { patterns: vec!["./t/test_a.py::test_x[::/]".into()], ..Selector::default() };
    assert_eq!(selector.named_files(&root).collect::<Vec<_>>(), ["t/test_a.py"]);
    let all = ["t/test_a.py".to_string(), "t/test_b.py".to_string()];
    assert!(selector.admits(&root, &all, &all[0]) && !selector.admits(&root, &all, &all[1]));
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_case_is_named_as_a_call_of_its_benchmark() {
    let of = |n: &str| case("asv", "b.Sort.time_x", &[("n", n), ("kind", "'a b'")], "b.py");
    let (ten, hundred) = (of("10"), of("100"));
    let selector = Selector { patterns: vec!["b.Sort.time_x(10, 'a b')".into()], ..Selector::default() };
    let chosen = selector.choose(&[&ten, &hundred]);
    assert!(chosen.has(&ten) && !chosen.has(&hundred));
}

#[test]
fn a_word_that_names_what_is_told_means_nothing_below_others() {
    let named = |name: &str, parent| {
        let id = CaseId { suite: "s".into(), benchmark: name.into(), params: Vec::new() };
        Case { parent, ..Case::new(id) }
    };
    let all =
        [named("Sort", true), named("SortStable", true), named("Join", true), named("Split/fast", false)];
    let of = |words: &[&str]| {
        let patterns = words.iter().map(|word| word.to_string()).collect();
        let selector = Selector { patterns, ..Selector::default() };
        selector.may_hold(&all).iter().map(|case| case.id.benchmark.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(&[]), ["Sort", "SortStable", "Join"]);
    assert_eq!(of(&["Sort"]), ["Sort"]);
    assert_eq!(of(&["Sort/n=10"]), ["Sort"]);
    assert_eq!(of(&["s/Join"]), ["Join"]);
    assert_eq!(of(&["n=10"]), ["Sort", "SortStable", "Join"], "it may be below any of them");
    assert_eq!(of(&["Sort", "fast"]), ["Sort", "SortStable", "Join"]);
    assert_eq!(of(&["Sort", "Join*"]), ["Sort", "Join"]);
    assert!(of(&["Split"]).is_empty(), "it was found already");
}

#[test]
fn a_value_is_the_one_that_was_typed_however_a_program_writes_it() {
    for (own, typed, same) in [
        ("1000", "1e3", true),
        ("1.0", "1", true),
        ("'a'", "a", true),
        ("True", "true", true),
        ("10", "1", false),
        ("a b", "a", false),
        ("", "0", false),
    ] {
        assert_eq!(is_value(own, typed), same, "{own} {typed}");
    }
}

#[test]
fn a_path_that_could_not_be_listed_holds_no_other_word_back() {
    let words = |words: &[&str]| Selector {
        patterns: words.iter().map(|word| (*word).to_owned()).collect(),
        ..Selector::default()
    };
    let lost = ["bad/one.bench.mjs"];
    let unmatched: Vec<String> = ["bad", "bad/one.bench.mjs", "typo", "n=1"].map(str::to_owned).into();
    let left = |typed: &[&str]| words(typed).beside(&unmatched, &lost).map(|selector| selector.patterns);
    assert_eq!(left(&["good.mjs", "bad"]), Some(vec!["good.mjs".to_owned()]));
    assert_eq!(left(&["good.mjs", "bad/one.bench.mjs", "n=1"]), Some(vec!["good.mjs".into(), "n=1".into()]));
    assert_eq!(left(&["good.mjs", "typo"]), Some(vec!["good.mjs".into(), "typo".into()]));
    assert_eq!(left(&["bad"]), None);
    assert_eq!(left(&[]), Some(Vec::new()));
}

#[test]
fn a_text_with_commas_is_a_value_or_several() {
    let all = ["1", "10", "a,b"].map(|value| case("s", "b", &[("n", value)], "f"));
    let cases: Vec<&Case> = all.iter().collect();
    let typed = ["10,1".to_owned(), "a,b".to_owned(), "7".to_owned()];
    assert_eq!(meant("n", &typed, &cases), ["10", "1", "a,b", "7"]);
}
