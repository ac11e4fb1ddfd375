//! Examples that are shown at the top of a verb's help. A test parses each of them.

/// Returns the example commands of a verb, given its full name, and their descriptions.
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
            ("derny run -x main -x head", "compare the working tree with a branch"),
        ],
    ),
    (
        "diff",
        &[
            ("derny diff", "against the commit where the branch left its upstream"),
            ("derny diff main", "against the branch main"),
            ("derny diff v1.2 parse --fail-on slower", "some cases; exit code 1 if one is slower"),
        ],
    ),
    (
        "run",
        &[
            ("derny run", "measure every benchmark of the project"),
            ("derny run parse n=1000 --quick", "measure some cases quickly"),
            ("derny run -x main -x head", "compare the working tree with the branch main"),
        ],
    ),
    (
        "try",
        &[
            ("derny try './old in.txt' './new in.txt'", "compare two commands"),
            ("derny try -N -w 3 'jq . in.json'", "measure one command without a shell"),
            ("derny try -L n 1,2,4 'make -j {n}'", "compare one variant per value"),
        ],
    ),
    (
        "list",
        &[
            ("derny list", "list every case as a tree"),
            ("derny list -f plain 'parse*'", "list names in the form that patterns match"),
            ("derny list sort n=1000", "list matching cases"),
        ],
    ),
    (
        "compare",
        &[
            ("derny compare", "compare the variants of the last run"),
            (
                "derny compare main last parse",
                "compare cases of parse between the baseline main and the last run",
            ),
            ("derny compare --gate", "check the last run against [gate] in derny.toml"),
            ("derny compare -f markdown", "print a table for a pull request"),
        ],
    ),
    ("mcp", &[("derny mcp", "serve the tools; an agent starts this")]),
    (
        "fleet",
        &[
            (
                "derny fleet plan -x main -x head --shards 12 -o plan.json",
                "divide the work among twelve machines",
            ),
            ("derny fleet merge part-*.derny", "merge all parts into one result"),
        ],
    ),
    (
        "fleet plan",
        &[
            (
                "derny fleet plan -x main -x head --shards 12 -o plan.json",
                "divide the work among twelve machines",
            ),
            (
                "derny fleet plan -x main -x head --shards 12 --build -o plan.tar",
                "build here, so that shards need not build",
            ),
            (
                "derny fleet plan -x main -x head --shards 12 --machines-per-case 3 -o plan.json",
                "measure each case on three machines",
            ),
            (
                "derny fleet plan -x main -x head --shards 4 --machine-time 1h -o plan.json",
                "limit the total machine time to one hour",
            ),
        ],
    ),
    (
        "fleet shard",
        &[
            ("derny fleet shard plan.json 4/4 -o part-4.derny", "measure the last of four shards"),
            ("derny fleet shard plan.json", "measure the shard that the scheduler assigns"),
        ],
    ),
    (
        "fleet worker",
        &[
            (
                "derny fleet worker plan.json --store postgresql://ann@db.example/bench",
                "measure shards until none is left",
            ),
            (
                "derny fleet worker plan.json --for 1h",
                "measure shards for an hour; DERNY_STORE names the store",
            ),
        ],
    ),
    (
        "fleet merge",
        &[
            ("derny fleet merge part-*.derny", "merge all parts; write undecided.json"),
            ("derny fleet merge part-*.derny -f json -o result.json", "write the same document as derny run"),
            ("derny fleet merge plan.json", "merge the results of workers in the store"),
        ],
    ),
    (
        "fleet generate",
        &[
            ("derny fleet generate slurm plan.json -o measure.sh", "write a script for Slurm"),
            ("derny fleet generate github plan.json", "print a workflow for GitHub Actions"),
        ],
    ),
    (
        "show",
        &[
            ("derny show", "show the last run"),
            ("derny show last~1 parse --case", "show details of some cases of the previous run"),
            ("derny show main -f json", "print the run of the baseline main as JSON"),
        ],
    ),
    (
        "history",
        &[
            ("derny history", "show the time of every case over commits"),
            ("derny history parse --since v1.0 -o parse.svg", "draw the points since a release"),
            ("derny history parse -m allocated -f csv", "print the points of a metric"),
        ],
    ),
    (
        "history confirm",
        &[
            ("derny history confirm --total 10m", "measure suspected changes, the most certain first"),
            ("derny history confirm parse v1.0..v1.1", "measure a pair of commits"),
        ],
    ),
    (
        "history creep",
        &[
            ("derny history creep", "compare with the last release and with a week ago"),
            ("derny history creep --against v1.0 --fail-on slower", "fail if a case is slower than v1.0"),
        ],
    ),
    (
        "history import",
        &[
            ("derny history import results/", "add the results of many commits"),
            ("derny history import dev/bench", "add all result files in a folder"),
            ("derny history import bench.log --commit v1.2", "add a log that names no commit"),
        ],
    ),
    (
        "history site",
        &[
            ("derny history site -o public", "write the site of all cases to the folder public"),
            ("derny history site -o public --run-url 'runs/{run}.html'", "link runs to their pages"),
        ],
    ),
    (
        "history mark",
        &[(
            "derny history mark 3f2a91c parse --as accepted --note 'checks its input'",
            "accept a slowdown, with the reason",
        )],
    ),
    (
        "plot",
        &[
            ("derny plot -o boxes.svg", "draw one box per case of the last run"),
            ("derny plot sort --over n --by kind --log -o sort.svg", "plot times against the parameter n"),
            ("derny plot parse -k density -o parse.png", "plot the distribution of turns"),
        ],
    ),
    (
        "plot scaling",
        &[
            ("derny plot scaling sort --over n", "show how the time of sort grows with n"),
            ("derny plot scaling sort --over n --by type --log", "show one curve per type"),
            ("derny plot scaling --over n --metric alloc -f csv", "print allocated memory as CSV"),
        ],
    ),
    (
        "report",
        &[
            ("derny report -o report.html", "write the last run as a page"),
            ("derny report main last -o report.html", "compare the baseline main with the last run"),
            ("derny report last parse --open", "open a page of some cases in a browser"),
        ],
    ),
    (
        "judge",
        &[
            ("derny judge", "judge the working tree against the last commit"),
            ("derny judge --session parser --check 'make test'", "judge one of many candidates"),
            ("derny judge -x base@v2 -x candidate@faster -f json", "judge a branch, with a receipt"),
        ],
    ),
    ("judge keep", &[("derny judge keep --session parser", "make the last candidate the best one")]),
    ("judge status", &[("derny judge status --session parser", "show candidates, kept ones and noise")]),
    ("judge final", &[("derny judge final --session parser", "measure the total gain afresh")]),
    ("judge verify", &[("derny judge verify last", "check the receipt of the last run")]),
    (
        "bisect",
        &[
            ("derny bisect v1.2..main sort/1000", "find the commit that changed a case"),
            ("derny bisect HEAD~50.. parse n=100 --total 10m", "search the last 50 commits"),
            ("derny bisect v1.2..main parse --metric alloc", "find a change of a metric"),
        ],
    ),
    (
        "runs",
        &[
            ("derny runs", "list the newest runs"),
            ("derny runs note last 'with the new parser'", "add a note"),
            ("derny runs prune --above 1G", "shrink the store to 1 GB"),
        ],
    ),
    ("runs list", &[("derny runs list -n 100", "list the 100 newest runs")]),
    ("runs delete", &[("derny runs delete last", "delete the newest run")]),
    ("runs note", &[("derny runs note last 'with the new parser'", "add a note")]),
    ("runs prune", &[("derny runs prune --above 1G --keep 50", "keep the 50 newest runs complete")]),
    (
        "runs baseline",
        &[
            ("derny runs baseline set main", "make the last run the baseline main"),
            ("derny runs baseline list", "list all baselines"),
            ("derny runs baseline remove main", "remove the name, but keep the run"),
        ],
    ),
    ("runs baseline set", &[("derny runs baseline set main last", "make the last run the baseline main")]),
    ("runs baseline list", &[("derny runs baseline list -f json", "print all baselines as JSON")]),
    ("runs baseline remove", &[("derny runs baseline remove main", "remove the name, but keep the run")]),
    (
        "runs copy",
        &[
            ("derny runs copy .derny postgresql://ann@db.example/bench", "copy all runs and baselines"),
            ("derny runs copy postgresql:///bench .derny", "copy the runs that are missing there"),
        ],
    ),
    (
        "export",
        &[
            ("derny export --raw > last.csv", "write one row per batch, in time order"),
            ("derny export -f benchfmt", "print one line per process for benchstat"),
            ("derny export -f node-compare -o old-new.csv", "write a file for Node's compare.R"),
        ],
    ),
    (
        "import",
        &[
            ("derny import report.json --save before", "store the results under a name"),
            ("derny import old.csv new.csv", "store each file as a run"),
            ("derny import --name-template 'Hash {size}' out.csv", "read parameters from names"),
        ],
    ),
    (
        "doctor",
        &[
            ("derny doctor", "check how this machine affects results"),
            ("derny doctor --noise", "measure the smallest change that can be detected"),
            ("derny doctor -f json", "print all checks as JSON"),
        ],
    ),
    (
        "dev",
        &[
            ("derny dev explain DY204", "explain a warning"),
            ("derny dev conform -- ./harness", "test a harness"),
            ("derny dev man run | man -l -", "show a page of the manual"),
        ],
    ),
    ("dev explain", &[("derny dev explain", "all codes"), ("derny dev explain DY204", "one of them")]),
    (
        "config",
        &[
            ("derny config", "show every setting and its origin"),
            ("derny config --profile ci", "apply a profile of derny.toml"),
            ("derny config -f json", "print all settings as JSON"),
        ],
    ),
    (
        "dev schema",
        &[
            ("derny dev schema result", "print the schema of results (-f json)"),
            ("derny dev schema config > derny.schema.json", "print the schema of derny.toml for an editor"),
        ],
    ),
    ("dev attach", &[("derny dev attach join --quick", "measure cases of a session; started by harnesses")]),
    (
        "init",
        &[
            ("derny init", "set up the languages of this project"),
            ("derny init LANGUAGE", "set up the given language"),
            ("derny init --ci github", "also write a workflow for pull requests"),
        ],
    ),
    (
        "dev conform",
        &[
            ("derny dev conform -- ./harness", "run every test against a harness"),
            ("derny dev conform --list -- ./harness", "show the tests"),
            ("derny dev conform turn -- ./harness", "run tests with `turn` in their name"),
        ],
    ),
    ("dev protocol", &[("derny dev protocol send 'parse n=10' | ./harness", "talk to a harness by hand")]),
    (
        "dev protocol send",
        &[
            ("derny dev protocol send", "ask for the list of cases"),
            ("derny dev protocol send 'parse n=10' --turns 3", "open a case and measure three turns"),
        ],
    ),
    (
        "dev completions",
        &[("derny dev completions bash > ~/.local/share/bash-completion/completions/derny", "for bash")],
    ),
    (
        "dev man",
        &[
            ("derny dev man | man -l -", "read the page of derny"),
            ("derny dev man run | man -l -", "read the page of a command"),
            ("derny dev man --all ~/.local/share/man/man1", "install all pages"),
        ],
    ),
];
