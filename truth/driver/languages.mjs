// The languages: their requirements, the commands that build and start their plain loops, and the files that
// Derny measures. Flags of a runtime are those of its sdk.toml, so that both sides run alike.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { built, ROOT, source } from './places.mjs';

export const BODIES = [
  'objects', 'buffer', 'strings', 'join', 'builder', 'map', 'sort', 'parse', 'closures', 'stream',
  // These bodies do not allocate.
  'sum', 'mix', 'search', 'matrix',
];

const JAVASCRIPT = 'truth/javascript/truth.bench.mjs';
// A JVM's heap grows for seconds, and the first write to memory costs a page fault. Until the heap is full, a
// loop that allocates is several times slower.
const JVM_WARM_MS = 6000;
const ERLANG_FLAGS = ['+S', '1:1', '+sbwt', 'none', '+sbwtdcpu', 'none', '+sbwtdio', 'none'];

const clojureJars = () => readdirSync(built('clojure')).map((name) => built('clojure', name));
const clojurePath = () => [built('java'), source('clojure', 'src'), ...clojureJars()];

const javac = () => {
  mkdirSync(built('java'), { recursive: true });
  const files = ['Plain.java', 'Bodies.java'].map((name) => source('java/truth', name));
  return ['javac', '-proc:none', '-encoding', 'UTF-8', '-d', built('java'), ...files];
};
const javascript = (runtime, flags = []) => ({
  needs: [runtime],
  plain: (words) => [runtime, ...flags, source('javascript/plain.mjs'), ...words],
  canPause: true,
  file: JAVASCRIPT,
});

/**
 * The fields of each entry:
 * - `needs`: programs that must be on the PATH
 * - `build`: commands that build the plain loop
 * - `leastWarmMs`: minimum warm-up of the plain loop, if it takes long to become steady
 * - `notInShort`: bodies that the short form skips, with a reason in a comment
 * - `mode`: the mode of Derny's harness that times the same as a plain loop, unless it is the first
 * - `plain`: the command that runs the plain loop with some words
 * - `canPause`: true if the plain loop can pause between turns
 * - `file`: the benchmark file, relative to the root
 * - `command`: the command that starts that file, if its name is not enough
 * - `flags`: flags for `derny run`
 * - `env`: environment of both sides; `derny()`: environment of Derny's side only
 */
export const LANGUAGES = {
  javascript: javascript('node'),
  // Other runtimes than Node. They are extra: a test does not require them.
  'javascript-bun': { ...javascript('bun'), flags: ['-x', 'bun=bun'], isExtra: true },
  'javascript-deno': {
    ...javascript('deno', ['run', '-A']),
    build: () => {
      // Deno resolves `derny` only with an import map.
      mkdirSync(built('deno'), { recursive: true });
      const imports = { derny: `${ROOT}/sdk/javascript/src/index.mjs` };
      writeFileSync(built('deno/imports.json'), JSON.stringify({ imports }));
      return [];
    },
    command: ['deno', 'run', '-A', `--import-map=${built('deno/imports.json')}`, JAVASCRIPT],
    isExtra: true,
  },
  rust: {
    needs: ['cargo'],
    build: () => [['cargo', 'build', '--release', '--quiet', '--manifest-path', source('rust/Cargo.toml'),
      '--example', 'plain']],
    plain: (words) => [built('cargo/release/examples/plain'), ...words],
    file: 'truth/rust/benches/truth.rs',
    env: { CARGO_TARGET_DIR: built('cargo') },
  },
  java: {
    needs: ['java', 'javac'],
    leastWarmMs: JVM_WARM_MS,
    // The plain loop of `buffer` writes to new memory for seconds.
    notInShort: ['buffer'],
    build: () => [javac()],
    plain: (words) => ['java', '-cp', built('java'), 'truth.Plain', ...words],
    canPause: true,
    file: 'truth/java/truth/TruthBench.java',
  },
  clojure: {
    needs: ['java', 'javac', 'mvn'],
    leastWarmMs: JVM_WARM_MS,
    // The plain loop of `buffer` writes to new memory for seconds, as in Java.
    notInShort: ['buffer'],
    build: () => [javac(), ['sh', `${ROOT}/sdk/jvm/clojure/fetch.sh`, built('clojure')]],
    plain: (words) => ['java', '-cp', clojurePath().join(':'), 'clojure.main', '-m', 'truth.plain', ...words],
    canPause: true,
    file: 'truth/clojure/truth_bench.clj',
    // Adds the namespace of the bodies and the same version of Clojure.
    derny: () => ({ CLASSPATH: [source('clojure', 'src'), ...clojureJars()].join(':') }),
  },
  erlang: {
    needs: ['erl', 'erlc'],
    // The frequency of collections depends on the history of a process's heap: 0.6 to 0.8 of the plain loop.
    notInShort: ['objects'],
    build: () => {
      mkdirSync(built('erlang'), { recursive: true });
      return [['erlc', '-o', built('erlang'), source('erlang/plain.erl'), source('erlang/bench_truth.erl')]];
    },
    // The first mode collects outside of the time. This one collects at the same points as a program.
    mode: 'time_default_heap',
    plain: (words) => ['erl', ...ERLANG_FLAGS, '-noinput', '-boot', 'no_dot_erlang', '-pa', built('erlang'),
      '-run', 'plain', 'main', ...words],
    file: 'truth/erlang/bench_truth.erl',
  },
  haskell: {
    needs: ['ghc'],
    build: () => {
      mkdirSync(built('haskell'), { recursive: true });
      return [['ghc', '-v0', '-O2', '-with-rtsopts=-T', '-rtsopts', `-i${source('haskell')}`,
        '-outputdir', built('haskell'), source('haskell/Plain.hs'), '-o', built('haskell/plain')]];
    },
    plain: (words) => [built('haskell/plain'), ...words],
    file: 'truth/haskell/TruthBench.hs',
  },
};
