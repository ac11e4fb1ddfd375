//! Examples shown first in a verb's help. A test parses each of them.

/// Returns the commands for a verb given by its full name, with their descriptions.
pub fn of(verb: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == verb).map_or(&[], |(_, examples)| examples)
}

type Examples = &'static [(&'static str, &'static str)];

pub(super) const EXAMPLES: &[(&str, Examples)] = &[
    (
        "",
        &[
            ("derny init", "write derny.toml and a first benchmark"),
            ("derny run", "measure every benchmark of the project"),
            ("derny run -x main@main -x head", "compare the working tree with a branch"),
        ],
    ),
    (
        "run",
        &[
            ("derny run", "every benchmark of the project"),
            ("derny run parse n=1000 --quick", "a first look at some cases"),
            ("derny run -x main@main -x head", "the branch main against the working tree"),
        ],
    ),
    (
        "try",
        &[
            ("derny try './old in.txt' './new in.txt'", "two commands, alternated"),
            ("derny try -N -w 3 'jq . in.json'", "one command, without a shell"),
            ("derny try -L n 1,2,4 'make -j {n}'", "a side for each value"),
        ],
    ),
    (
        "list",
        &[
            ("derny list", "every case, as a tree"),
            ("derny list -f plain 'parse*'", "names, as patterns match them"),
            ("derny list sort n=1000", "those that match"),
        ],
    ),
    (
        "compare",
        &[
            ("derny compare", "the variants of the last run"),
            ("derny compare main last parse", "the baseline main and the last run, cases of parse"),
            ("derny compare -f markdown", "a table for a pull request"),
        ],
    ),
    (
        "gate",
        &[
            ("derny gate", "the last run, by the rules of [gate] in derny.toml"),
            ("derny gate --baseline main", "the last run against a baseline"),
            ("derny gate --margin 2% --fail-on worse,unclear", "with a margin; fail if undecided"),
        ],
    ),
    (
        "plan",
        &[
            ("derny plan -x main@main -x head --shards 12 -o plan.json", "divided among twelve machines"),
            ("derny plan -x main@main -x head --shards 12 --build -o plan.tar", "shards build nothing"),
            (
                "derny plan -x main@main -x head --shards 12 --machines-per-case 3 -o plan.json",
                "each case on three",
            ),
            ("derny plan -x main@main -x head --shards 4 --machine-time 1h -o plan.json", "an hour in all"),
        ],
    ),
    (
        "shard",
        &[
            ("derny shard plan.json 4/4 -o part-4.derny", "the last of four"),
            ("derny shard plan.json", "the one that the scheduler's variables name"),
        ],
    ),
    (
        "worker",
        &[
            ("derny worker plan.json --store postgresql://ann@db.example/bench", "until no shard is left"),
            ("derny worker plan.json --for 1h", "with the store of DERNY_STORE, for an hour"),
        ],
    ),
    (
        "merge",
        &[
            ("derny merge part-*.derny", "a table of all parts, and undecided.json"),
            ("derny merge part-*.derny -f json -o result.json", "the document of derny run"),
            ("derny merge plan.json", "the results of workers in the store"),
        ],
    ),
    (
        "generate",
        &[
            ("derny generate slurm plan.json -o measure.sh", "a script for Slurm"),
            ("derny generate github plan.json", "a workflow of GitHub Actions"),
        ],
    ),
    (
        "show",
        &[
            ("derny show", "the last run"),
            ("derny show last~1 parse --case", "details of some cases of the previous run"),
            ("derny show main -f json", "the run that the baseline main names, as JSON"),
        ],
    ),
    (
        "plot",
        &[
            ("derny plot -o boxes.svg", "a box for each case of the last run"),
            ("derny plot sort --over n --by kind --log -o sort.svg", "times along the parameter n"),
            ("derny plot parse -k density -o parse.png", "how turns are distributed"),
        ],
    ),
    (
        "scaling",
        &[
            ("derny scaling sort --over n", "how the time of sort grows with n"),
            ("derny scaling sort --over n --by type --log", "a curve for each type"),
            ("derny scaling --over n --metric alloc -f csv", "allocated memory, as rows"),
        ],
    ),
    (
        "report",
        &[
            ("derny report -o report.html", "the last run, as a page"),
            ("derny report main last -o report.html", "the baseline main and the last run"),
            ("derny report last parse -o parse.html", "some of its cases"),
        ],
    ),
    (
        "runs",
        &[
            ("derny runs", "the newest runs"),
            ("derny runs annotate last 'with the new parser'", "set a note"),
            ("derny runs prune --above 1G", "make the store smaller"),
        ],
    ),
    ("runs delete", &[("derny runs delete last", "delete the newest run")]),
    ("runs annotate", &[("derny runs annotate last 'with the new parser'", "set a note")]),
    ("runs prune", &[("derny runs prune --above 1G --keep 50", "spare the 50 newest runs")]),
    (
        "baseline",
        &[
            ("derny baseline set main", "the last run is the baseline main"),
            ("derny baseline list", "all baselines"),
            ("derny baseline remove main", "forget the name"),
        ],
    ),
    ("baseline set", &[("derny baseline set main last", "the last run is the baseline main")]),
    ("baseline list", &[("derny baseline list -f json", "all baselines, as JSON")]),
    ("baseline remove", &[("derny baseline remove main", "forget the name")]),
    (
        "store",
        &[("derny store copy .derny postgresql://ann@db.example/bench", "all runs, with their baselines")],
    ),
    (
        "store copy",
        &[
            ("derny store copy .derny postgresql://ann@db.example/bench", "all runs, with their baselines"),
            ("derny store copy postgresql:///bench .derny", "what is not there yet"),
        ],
    ),
    (
        "export",
        &[
            ("derny export --raw > last.csv", "a row per batch, in time order"),
            ("derny export -f benchfmt", "a line per process, for benchstat"),
            ("derny export -f node-compare -o old-new.csv", "a file for Node's compare.R"),
        ],
    ),
    (
        "import",
        &[
            ("derny import report.json --save before", "store it, under a name"),
            ("derny import old.csv new.csv", "a run per file"),
            ("derny import --name-template 'Hash {size}' out.csv", "with parameters from names"),
        ],
    ),
    (
        "doctor",
        &[
            ("derny doctor", "the effects of this machine on results"),
            ("derny doctor --noise", "the smallest change that can be detected here"),
            ("derny doctor -f json", "the same as JSON"),
        ],
    ),
    ("explain", &[("derny explain", "all codes"), ("derny explain DY204", "one of them")]),
    (
        "config",
        &[
            ("derny config", "every setting and its origin"),
            ("derny config --profile ci", "with a profile of derny.toml"),
            ("derny config --json", "the same as JSON"),
        ],
    ),
    (
        "schema",
        &[
            ("derny schema result", "the output of run and show with -f json"),
            ("derny schema config > derny.schema.json", "the keys of derny.toml, for an editor"),
        ],
    ),
    ("attach", &[("derny attach join --quick", "measure cases of a session; harnesses start it")]),
    (
        "init",
        &[
            ("derny init", "for the languages found here"),
            ("derny init LANGUAGE", "for a given language"),
            ("derny init --ci github", "a workflow for pull requests too"),
        ],
    ),
    (
        "conform",
        &[
            ("derny conform -- ./harness", "run every test against a harness"),
            ("derny conform --list -- ./harness", "show the tests"),
            ("derny conform turn -- ./harness", "the tests with `turn` in their name"),
        ],
    ),
    ("protocol", &[("derny protocol send 'parse n=10' | ./harness", "talk to a harness by hand")]),
    (
        "protocol send",
        &[
            ("derny protocol send", "ask for the list of cases"),
            ("derny protocol send 'parse n=10' --turns 3", "open a case and measure three turns"),
        ],
    ),
    (
        "completions",
        &[("derny completions bash > ~/.local/share/bash-completion/completions/derny", "for bash")],
    ),
    (
        "man",
        &[
            ("derny man | man -l -", "read the page of derny"),
            ("derny man run | man -l -", "read the page of a verb"),
            ("derny man --all ~/.local/share/man/man1", "install all pages"),
        ],
    ),
];
