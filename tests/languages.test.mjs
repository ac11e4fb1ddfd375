// Tests that the names of a language occur only in its folder in sdk/. The names are taken from the sdk.toml
// files, so that a new language adds its own.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { files, read, ROOT, sources } from './sources.mjs';

/** Returns the texts of a TOML key: its value, or its items. */
function texts(section, key) {
  const value = new RegExp(`^${key} = ("[^"]*"|\\[[^\\]]*\\])`, 'm').exec(section)?.[1] ?? '';
  return [...value.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
}

/**
 * Returns the names in the sdk.toml files: names of languages and runtimes, file name extensions, and files
 * that identify a project.
 */
function vocabulary() {
  const [names, endings, projects] = [new Set(), new Set(), new Set()];
  for (const sdk of readdirSync(path.join(ROOT, 'sdk'))) {
    for (const section of read(`sdk/${sdk}/sdk.toml`).split(/^(?=\[)/m)) {
      if (/^\[(?:\[harness\.|embed)/.test(section)) continue;
      const title = texts(section, 'title').flatMap((text) => text.split(' and '));
      const found = [...texts(section, 'name'), ...texts(section, 'runtime'), ...title];
      // A single letter is not specific enough.
      for (const name of found) if (name.length > 1) names.add(name.toLowerCase());
      for (const glob of texts(section, 'files')) endings.add(glob.split('.').at(-1));
      for (const file of texts(section, 'detect')) projects.add(file);
    }
  }
  // Exclude extensions of the engine's own files and of common settings files.
  for (const own of ['rs', 'json', 'jsonc']) endings.delete(own);
  return { names, ending: new RegExp(`[\\w*]\\.(?:${[...endings].join('|')})\\b`), projects };
}
const { names, ending, projects } = vocabulary();

/** Languages, runtimes and tools that no sdk.toml names. */
const WELL_KNOWN = [
  'hsperfdata', 'hotspot', 'jvm', 'jdk', 'openjdk', 'graalvm', 'javac', 'scala', 'kotlin', 'maven',
  'mvn', 'gradle', 'v8', 'nodejs', 'bun', 'deno', 'npm', 'typescript', 'otp', 'escript', 'ghcup',
  'cabal', 'python', 'cpython', 'pypy', 'ruby', 'golang', 'perl', 'php', 'lua', 'julia', 'swift',
  'zig', 'fortran', 'csharp', 'dotnet', 'rustc',
];
/** Words with other meanings. They count only if a string consists of nothing else, as in a comparison. */
const AMBIGUOUS = new Set(['node', 'mix', 'criterion', 'beam', 'go', 'c', 'cc', 'd', 'r']);
const all = new Set([...names, ...WELL_KNOWN]);
const plain = [...all].filter((word) => !AMBIGUOUS.has(word));

/** Splits Rust source into its string literals and its other code, and drops comments. */
function parted(text) {
  const strings = [];
  const comment = /\/\/[^\n]*|\/\*[^]*?\*\//;
  const literal = /\br(#*)"([^]*?)"\1|"((?:\\[^]|[^"\\])*)"|'(?:\\.|[^'\\])'/;
  const code = text.replace(new RegExp(`${comment.source}|${literal.source}`, 'g'), (_, __, raw, escaped) => {
    if (raw !== undefined || escaped !== undefined) strings.push(raw ?? escaped);
    return ' ';
  });
  return { code, strings };
}

/** Returns the words of a text, including those inside identifiers. */
function words(text) {
  const apart = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return new Set(apart.match(/[a-z]+[a-z0-9]*/g));
}

/** Returns the first language name in Rust source, if there is one. */
function languageIn(text) {
  const { code, strings } = parted(text);
  // The engine itself is built with Cargo.
  const said = strings.filter((one) => !/^CARGO_[A-Z_]+$/.test(one));
  const found = words([code, ...said].join('\n'));
  return plain.find((word) => found.has(word))
    // A single letter usually does not mean the language C.
    ?? said.find((one) => (one.length > 1 && all.has(one.toLowerCase())) || ending.test(one))
    ?? [...projects].find((file) => said.some((one) => one.includes(file)));
}

/** Sources that may name a language, each with the reason. */
const EXCEPTIONS = {
  'crates/store/src/older.rs': 'completes old stores by the languages of their time',
  'crates/import/src/': 'formats of other tools, whose languages are theirs',
  'crates/report/src/foreign/': 'formats of other tools',
  'crates/report/src/html': 'the page that it writes is a program in JavaScript',
  'crates/report/src/site.rs': 'the site that it writes is a program in JavaScript',
  'crates/cli/src/doctor/kernel.rs': 'a harness in this very program, which is written in Rust',
  'crates/engine/src/measure/resume/agreement.rs': 'a test',
  'crates/testkit/src/program.rs': 'has cargo build the scripted harness, for tests',
  'crates/testkit/src/bin/': 'the scripted harness, for tests: a program in Rust',
};

test('the words of languages are found in the sdk.toml files', () => {
  const wanted = ['rust', 'cargo', 'javascript', 'node', 'erlang', 'elixir', 'java', 'clojure'];
  for (const word of wanted) assert.ok(names.has(word), `${word} is not in ${[...names]}`);
  assert.ok(!names.has('profile'), 'a diagnosis was taken for a language');
  assert.match('x.bench.mjs', ending);
  assert.ok(projects.has('pom.xml') && projects.has('mix.exs'), [...projects].join());
});

test('a language is noticed in code and in strings, not in comments and in other words', () => {
  const noticed = [
    'if foreign.language == "rust" {', 'mod jvm;', 'struct JvmCounters;', 'fn read_hsperfdata() {}',
    'name == "node"', 'b"v8"', 'let x = "the JVM";', 'r#"harness = "erl""#', 'find("**/*.exs")',
    '"see package.json"', 'Command::new("ghc")',
  ];
  for (const text of noticed) assert.ok(languageIn(text), text);
  const harmless = [
    '// such as java', '/// `node`', 'struct Node;', 'fn mix(a: u64) {}', '"the nodes of a tree"',
    'env!("CARGO_MANIFEST_DIR")', '"a criterion"', '"https://derny" // rust', '"\\"" /* jvm */',
    '"javanese"', '"file.json"', 'unsafe extern "C" {}',
  ];
  for (const text of harmless) assert.equal(languageIn(text), undefined, text);
});

test('no source of the engine names a language, a runtime or one of their files', () => {
  const used = new Set();
  for (const { file, text } of sources) {
    const word = languageIn(text);
    if (word === undefined) continue;
    const exception = Object.keys(EXCEPTIONS).find((prefix) => file.startsWith(prefix));
    assert.ok(exception, `${file} names a language: "${word}". Put what is known of a language into`
      + ' its sdk.toml, or let its harness say it (ARCHITECTURE.md, "The SDKs")');
    used.add(exception);
  }
  const unused = Object.keys(EXCEPTIONS).filter((prefix) => !used.has(prefix));
  assert.deepEqual(unused, [], 'these need no exception');
});

test('no script names a language: its toolchain.sh says what it needs and has its lessons', () => {
  // Cargo builds the engine, and Node.js runs our own tests, trials and scripts.
  const builds = ['rust', 'cargo', 'rustc'];
  const own = /\bnode (?:--test )?(?=(?:peers|scripts|tests|truth)\/)|\b(?:peers|scripts|tests|truth)\/\w+(?:\.test)?\.mjs\b|'node:\w+'|'\.\/(?:\w+\/)?\w+\.mjs'|\b\w+\.test\.mjs\b/g;
  const scripts = [...files('scripts')];
  assert.ok(scripts.length > 5);
  for (const file of scripts) {
    const text = read(file).replace(/(^|\s)#.*$/gm, '$1').replace(own, '');
    const found = words(text);
    const word = [...plain, 'node'].find((one) => found.has(one) && !builds.includes(one))
      ?? ending.exec(text)?.[0];
    assert.equal(word, undefined, `${file} names a language: "${word}"`);
  }
});
