//! Tests `derny mcp` with lines of JSON-RPC: old and new versions of the protocol, and clients that
//! misbehave. `tests/mcp-clients.sh` does the same with official clients.
#![cfg(target_os = "linux")]

use crate::faults::{Project, signal};
use derny_model::RunStatus;
use derny_testkit::program::fake_harness;
use serde_json::{Value, json};
use std::fs::Permissions;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Settings of a run of a fraction of a second.
const TINY: &str = "processes = 8\nrounds = 2\nwarmup = 0\nbatch-time = '50us'\nbudget = '60s'\n";
/// Settings of a run that is always stopped before its end.
const LONG: &str =
    "processes = 64\nrounds = 300\nwarmup = '20ms'\nbudget = '600s'\ntotal = '600s'\nprecision = '0.0001%'\n";

/// Returns the parameters of a handshake.
fn about(version: &str) -> Value {
    let client = json!({"name": "t", "version": "1"});
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client})
}

/// A client, with its server and the messages that it has received.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    /// Messages without an id, and answers to other requests.
    others: Vec<Value>,
}

impl Client {
    /// Starts the server in a project.
    fn start(project: &Project) -> Client {
        let mut command = project.derny(&["mcp"]);
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().unwrap());
        let (told, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = told.send(serde_json::from_str(&line).unwrap_or_else(|_| json!({"not JSON": line})));
            }
        });
        Client { server, input, lines, others: Vec::new() }
    }

    /// Starts the server, and makes the handshake of protocol version 2025-11-25.
    fn greeted(project: &Project) -> Client {
        let mut client = Client::start(project);
        let about = about("2025-11-25");
        client.send(&json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": about}));
        let answer = client.answer("hello");
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        assert_eq!(answer["result"]["serverInfo"]["name"], "derny");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn next(&self) -> Value {
        self.lines.recv_timeout(PATIENCE).expect("the server says nothing")
    }

    /// Waits for the answer to a request.
    fn answer(&mut self, id: &str) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            self.others.push(message);
        }
    }

    fn begin(&mut self, id: &str, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    /// Calls a tool. Returns its result.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.begin(tool, tool, arguments);
        self.answer(tool)["result"].take()
    }

    /// Waits until the server has ended. Returns true if it did so without an error.
    fn ended(&mut self) -> bool {
        let start = Instant::now();
        loop {
            if let Some(status) = self.server.try_wait().unwrap() {
                return status.success();
            }
            assert!(start.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn project(name: &str, settings: &str) -> Project {
    let project = Project::new(name);
    let harness = fake_harness().display();
    let text = format!("{settings}[suite.s]\nharness = {{ command = ['{harness}', '--cases=2'] }}\n");
    std::fs::write(project.folder.join("derny.toml"), text).unwrap();
    project
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"))
}

/// Makes the project a git repository with one commit.
fn commit(project: &Project) {
    for words in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "first"]] {
        crate::place::git(&project.folder, words);
    }
}

/// Waits until a condition holds.
fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a run has begun, and is in the journal.
fn wait_for_run(project: &Project) {
    let running = project.folder.join(".derny/running");
    let has_begun = || std::fs::read_dir(&running).is_ok_and(|mut folder| folder.next().is_some());
    wait_for("no run begins", || has_begun() && measures(project));
}

/// Returns true if a harness is alive in the project.
fn measures(project: &Project) -> bool {
    project.alive().iter().any(|process| process.contains("derny-fake"))
}

#[test]
fn an_old_client_calls_every_tool() {
    let project = project("mcp-old", TINY);
    let mut client = Client::greeted(&project);
    client.send(&json!({"jsonrpc": "2.0", "id": "tools", "method": "tools/list"}));
    let tools = client.answer("tools")["result"]["tools"].take();
    let names: Vec<&str> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["diff", "run", "judge", "list", "show", "doctor", "explain"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let listed = client.call("list", &json!({}));
    assert_eq!(text(&listed).lines().next(), Some("2 cases"));
    let name = listed["structuredContent"]["cases"][1]["case"].as_str().unwrap().to_owned();

    let sides = json!([{"name": "a", "revision": "."}, {"name": "b", "revision": "."}]);
    let ran = client.call("run", &json!({"sides": sides, "patterns": [name]}));
    assert_ne!(ran["isError"], true, "{ran}");
    let told = &ran["structuredContent"];
    assert_eq!(told["cases"].as_array().map(Vec::len), Some(1), "{ran}");
    assert_eq!(told["cases"][0]["case"], name.as_str());
    assert!(told["cases"][0]["interval"][0].is_number(), "{ran}");
    let run = told["run"].as_str().unwrap();
    assert!(text(&ran).contains(run));

    let shown = client.call("show", &json!({"run": run}));
    assert_eq!(shown["structuredContent"]["cases"], told["cases"]);
    let details = client.call("show", &json!({"run": run, "details": true}));
    assert!(text(&details).len() > text(&shown).len());
    assert!(details.to_string().len() < 25_000);
    let checks = client.call("doctor", &json!({}));
    assert!(text(&checks).starts_with("this machine"), "{checks}");
    assert!(text(&client.call("explain", &json!({"code": "DY101"}))).starts_with("DY101"));
    let once = client.call("run", &json!({"once": true}));
    assert_ne!(once["isError"], true, "{once}");
    client.input = None;
    assert!(client.ended());
}

#[test]
fn diff_gives_a_verdict_on_the_working_tree() {
    let project = project("mcp-diff", TINY);
    commit(&project);
    let mut client = Client::greeted(&project);
    let result = client.call("diff", &json!({"revision": "HEAD"}));
    // The same files on both sides are refused, and the message says so.
    assert!(result["structuredContent"]["verdicts"].is_object() || result["isError"] == true, "{result}");
    assert!(!text(&result).is_empty());
}

#[test]
fn judge_decides_by_a_session() {
    let project = project("mcp-judge", "");
    // A harness whose case takes as long as the file `cost` says.
    let harness = fake_harness().display();
    let build = format!(
        "printf '#!/bin/sh\\nexec {harness} --cost-ns=%s\\n' \"$(cat cost)\" > bench; chmod +x bench"
    );
    let table = "[suite.s]\nharness = { command = './bench' }\nbuild = 'sh build.sh'\n";
    let config = TINY.replace("processes = 8", "processes = 16") + table;
    let files = [
        ("derny.toml", &*config),
        ("build.sh", &*build),
        ("cost", "2000"),
        (".gitignore", ".derny\nbench\n"),
    ];
    for (name, text) in files {
        std::fs::write(project.folder.join(name), text).unwrap();
    }
    commit(&project);
    std::fs::write(project.folder.join("cost"), "500").unwrap();
    let mut client = Client::greeted(&project);
    let judged = client.call("judge", &json!({"session": "auto", "patterns": ["steady"]}));
    assert_eq!(judged["structuredContent"]["verdict"], "keep", "{judged}");
    assert!(text(&judged).starts_with("keep: "), "{judged}");
    assert!(judged["structuredContent"]["score"].as_f64().unwrap() > 1.0);
    let kept = client.call("judge", &json!({"action": "keep", "session": "auto"}));
    assert_ne!(kept["isError"], true, "{kept}");
    let status = client.call("judge", &json!({"action": "status", "session": "auto"}));
    assert!(text(&status).contains("1 kept"), "{status}");
    std::fs::write(project.folder.join("print.sh"), "#!/bin/sh\necho METRIC ms=$(cat cost)\n").unwrap();
    std::fs::set_permissions(project.folder.join("print.sh"), Permissions::from_mode(0o755)).unwrap();
    commit(&project);
    std::fs::write(project.folder.join("cost"), "400").unwrap();
    let figures = json!({"program": "print.sh", "metrics": ["ms:lower"]});
    let judged = client.call("judge", &json!({"session": "printed", "figures": figures}));
    assert_eq!(judged["structuredContent"]["verdict"], "keep", "{judged}");
}

#[test]
fn a_new_client_needs_no_handshake_and_gets_tasks() {
    let project = project("mcp-new", TINY);
    let mut client = Client::start(&project);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
    });
    let mut ask = |id: &str, method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        client.answer(id)
    };
    let found = ask("discover", "server/discover", json!({}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap_or_else(|| panic!("{found}"));
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    assert_eq!(ask("tools", "tools/list", json!({}))["result"]["resultType"], "complete");
    let begun = ask("run", "tools/call", json!({"name": "run", "arguments": {}}));
    assert_eq!(begun["result"]["resultType"], "task", "{begun}");
    let task = begun["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned();
    let start = Instant::now();
    let ended = loop {
        let state = ask("get", "tasks/get", json!({"taskId": task}));
        if state["result"]["status"] != "working" {
            break state;
        }
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(ended["result"]["status"], "completed", "{ended}");
    let cases = &ended["result"]["result"]["structuredContent"]["cases"];
    assert_eq!(cases.as_array().map(Vec::len), Some(2), "{ended}");
    assert!(cases[0]["value"].is_number(), "{ended}");
}

#[test]
fn a_cancelled_task_ends_its_run() {
    let project = project("mcp-task", LONG);
    let mut client = Client::start(&project);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
    });
    let mut ask = |id: &str, method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        client.answer(id)["result"].take()
    };
    let task = ask("run", "tools/call", json!({"name": "run", "arguments": {}}))["taskId"].take();
    wait_for_run(&project);
    ask("cancel", "tasks/cancel", json!({"taskId": task}));
    let start = Instant::now();
    while ask("get", "tasks/get", json!({"taskId": task}))["status"] != "cancelled" {
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!measures(&project), "{:?}", project.alive());
}

#[test]
fn garbage_gets_an_error_and_the_server_goes_on() {
    let project = project("mcp-garbage", TINY);
    let mut client = Client::start(&project);
    // Invalid messages are answered with an error, even before the handshake.
    for (line, code) in [("{", -32700), ("\u{1}\u{2}", -32700), ("[1, 2]", -32600), ("\"x\"", -32600)] {
        client.raw(format!("{line}\n").as_bytes());
        assert_eq!(client.next()["error"]["code"], code, "{line}");
    }
    client.raw(b"\xff\xfe\n");
    assert_eq!(client.next()["error"]["code"], -32700);
    client.raw(&[vec![b'['; 2 << 20], b"\n".to_vec()].concat());
    assert_eq!(client.next()["error"]["code"], -32600);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let about = about("2024-11-05");
    client.send(&json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": about}));
    assert_eq!(client.answer("hello")["result"]["protocolVersion"], "2024-11-05");
    client.send(&json!({"jsonrpc": "2.0", "id": "no", "method": "no/such"}));
    assert_eq!(client.answer("no")["error"]["code"], -32601);
    client.begin("tool", "rm", &json!({}));
    assert_eq!(client.answer("tool")["error"]["code"], -32602);
    for wrong in [
        json!({"patterns": ["/etc/passwd"]}),
        json!({"patterns": ["../x"]}),
        json!({"patterns": ["--store=/tmp/x"]}),
        json!({"patterns": 7}),
        json!({"command": ["rm", "-rf", "/"]}),
        json!({"timeout": 1_000_000}),
    ] {
        let result = client.call("run", &wrong);
        assert_eq!(result["isError"], true, "{wrong}: {result}");
    }
    assert_eq!(text(&client.call("list", &json!({}))).lines().next(), Some("2 cases"));
}

#[test]
fn a_link_out_of_the_project_is_refused() {
    let project = project("mcp-link", TINY);
    std::os::unix::fs::symlink("/etc", project.folder.join("out")).unwrap();
    let mut client = Client::greeted(&project);
    let result = client.call("list", &json!({"patterns": ["out/passwd"]}));
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("outside the project"), "{result}");
}

#[test]
fn a_time_limit_ends_all_processes_and_keeps_what_was_measured() {
    let project = project("mcp-limit", LONG);
    let mut client = Client::greeted(&project);
    let result = client.call("run", &json!({"timeout": 4}));
    assert_eq!(result["isError"], true);
    assert!(text(&result).starts_with("stopped after 4 s"), "{result}");
    assert!(!measures(&project), "{:?}", project.alive());
    // On a busy machine, the run may not have begun.
    assert!(project.summaries().iter().all(|run| run.header.status == RunStatus::Partial));
    assert!(
        client.others.iter().any(|message| message["method"] == "notifications/progress"),
        "{:?}",
        client.others
    );
}

#[test]
fn a_cancelled_call_ends_and_the_next_one_is_measured() {
    let project = project("mcp-cancel", LONG);
    let mut client = Client::greeted(&project);
    client.begin("long", "run", &json!({}));
    wait_for_run(&project);
    client.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}),
    );
    wait_for("the harness goes on", || !measures(&project));
    let short = json!({"budget": "1s", "total": "20s"});
    let result = client.call("run", &short);
    assert_eq!(result["structuredContent"]["cases"].as_array().map(Vec::len), Some(2), "{result}");
}

#[test]
fn a_client_that_leaves_amid_a_call_ends_it_and_nothing_measured_is_lost() {
    for leave in ["close", "TERM"] {
        let project = project("mcp-leave", LONG);
        let mut client = Client::greeted(&project);
        client.begin("long", "run", &json!({}));
        wait_for_run(&project);
        match leave {
            "close" => client.input = None,
            name => signal(name, client.server.id()),
        }
        assert!(client.ended(), "{leave}");
        assert_eq!(project.orphans(), [] as [String; 0], "{leave}");
        assert_eq!(project.records().header.status, RunStatus::Partial, "{leave}");
    }
}

#[test]
fn a_killed_server_leaves_no_process() {
    let project = project("mcp-kill", LONG);
    let mut client = Client::greeted(&project);
    client.begin("long", "run", &json!({}));
    wait_for_run(&project);
    client.server.kill().unwrap();
    client.server.wait().unwrap();
    assert_eq!(project.orphans(), [] as [String; 0]);
    assert_eq!(project.summaries().len(), 1);
}

#[test]
fn a_killed_run_is_an_answer_and_the_server_goes_on() {
    let project = project("mcp-crash", LONG);
    let mut client = Client::greeted(&project);
    client.begin("long", "run", &json!({}));
    wait_for_run(&project);
    let server = client.server.id();
    let children = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap();
    let is_run = |pid: &u32| {
        std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|words| words.contains("json"))
    };
    let run = children.split_whitespace().map(|pid| pid.parse().unwrap()).find(is_run).unwrap();
    signal("KILL", run);
    let result = client.answer("long")["result"].take();
    assert_eq!(result["isError"], true);
    assert_eq!(text(&client.call("list", &json!({}))).lines().next(), Some("2 cases"));
}
