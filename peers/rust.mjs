// Compares Derny with criterion.rs and divan, in unmodified benches of published crates and repositories.
// Arguments: ROW...
//   names     cases of `derny list` and of the benches' own `--list` (divan: `--test`); the lock file before and after
//   once      `derny run --once`: number of cases that work when called once
//   figures   typical times of --cases (4) cases, compared with the medians of criterion.rs's samples or divan's, each measured
//             twice. All three tools run for --budget (1.5) seconds in alternating slices of 200 ms, --rounds times (1)
//   loops     number of loops of criterion.rs's `iter` that have the same machine code here (needs objdump)
//   theirs    seconds of `cargo bench` with its defaults for --sample built cases (20), and for 100
//   time      seconds and precision of `derny run` of all cases with --total SECONDS (.8 a case: a tenth of criterion.rs's time)
//   sides     the same for two equal revisions: `derny run -x main@HEAD -x head`
// DERNY names the engine. --project NAME: only this project. --minutes N: starts no other project after that time.
// --repositories URL: clones repositories from URL/OWNER/NAME (https://github.com).

import { alternated, cache, call, here } from './campaign.mjs';
import { sameLoops } from './loops.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    project: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '60' },
    sample: { type: 'string', default: '20' },
    total: { type: 'string' },
    cases: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '1' },
    budget: { type: 'string', default: '1.5' },
    repositories: { type: 'string', default: 'https://github.com' },
  },
});
const engine = process.env.DERNY || join(here, '../target/release/derny');
const folder = join(cache, 'rust');

/**
 * Crates whose package contains its benches, by the version of criterion.rs that they use. CRATE@VERSION if a
 * crate occurs twice.
 */
const PROJECTS = {
  // criterion.rs's own benches use all of its features.
  'criterion-0.3': 'criterion@0.3.6', 'criterion-0.4': 'criterion@0.4.0', 'criterion-0.5': 'criterion@0.5.1', 'criterion-0.6': 'criterion@0.6.0',
  'criterion-0.7': 'criterion@0.7.0', 'criterion-0.8': 'criterion@0.8.2',
  hex: '0.4.3', httparse: '1.10.1', seahash: '4.1.0', nibble_vec: '0.1.0', ropey: '1.6.1', str_indices: '0.4.4', radix_trie: '0.3.0', // 0.3
  base64: '0.22.1', bytecount: '0.6.9', itertools: '0.14.0', // 0.4
  bs58: '0.5.1', matchit: '0.8.6', half: '2.7.1', imagesize: '0.13.0', litemap: '0.8.3', fraction: '0.17.0', 'unicode-segmentation': '1.13.3', // 0.5
  smol_str: '0.3.7', hashbrown: '0.17.2', // 0.7
  itoa: '1.0.19', ryu: '1.0.23', semver: '1.0.28', micromap: '0.3.0', zmij: '1.0.23', crc32fast: '1.5.4', // 0.8
  'codspeed-criterion-compat': '6.0.0', 'salsa-criterion': 'salsa@0.24.0', // both of codspeed-criterion-compat
  // divan
  chili: '0.2.1', hipstr: '0.8.0', paralight: '0.0.12', 'tui-term': '0.3.4',
  fastlanes: '0.7.2', 'codspeed-divan-compat': '6.0.0', 'salsa-divan': 'salsa@0.28.5', // the last two use codspeed-divan-compat
};

/** Repositories with benches of divan, each with its commit. */
const REPOSITORIES = {
  anstyle: ['rust-cli/anstyle', '59a784c47529798108ad048b44326e55992059ac'],
  'annotate-snippets-rs': ['rust-lang/annotate-snippets-rs', 'b8d1d534dd444c933fc886ad63428f6bfb9475af'],
  bnf: ['shnewto/bnf', '23f620d76433dda9069d2d557c92341ae0cec6fd'],
  divan: ['nvzqz/divan', 'bca5c9676a35751d0a8164df7d79bda70f23286b'],
  toml: ['toml-rs/toml', '5538279d83d3c1b348b84a35ee1ed5d799c13b94'],
};

/** Fast cases, for the row `figures`. */
const FIGURES = {
  itoa: /u64|u128|integer/i, ryu: /./, semver: /parse/, bs58: /encode|decode/, smol_str: /./, matchit: /./, crc32fast: /./, zmij: /./, fraction: /./,
  hex: /./, httparse: /req/, seahash: /./, nibble_vec: /./, base64: /(de|en)code.*\/(3|32|128|500)$/,
};

/** Features that a project's benches need. */
const FEATURES = Object.fromEntries(['0.3', '0.4', '0.5', '0.6', '0.7', '0.8'].map((version) => [`criterion-${version}`, 'async_futures']));

/** Projects for the row `theirs`. */
const TIMED = ['bs58', 'itoa', 'ryu'];

/** Returns the source folder of a repository, or of a published crate, which Cargo downloads. */
function fetched(name) {
  if (REPOSITORIES[name]) {
    const [repository, commit] = REPOSITORIES[name];
    const place = join(folder, 'repositories', name);
    if (!existsSync(place)) call('git', ['clone', '--quiet', `${values.repositories}/${repository}`, place]);
    call('git', ['checkout', '--quiet', commit], { cwd: place });
    return place;
  }
  const [crate, version] = PROJECTS[name].includes('@') ? PROJECTS[name].split('@') : [name, PROJECTS[name]];
  const place = join(folder, 'fetch', name);
  mkdirSync(join(place, 'src'), { recursive: true });
  writeFileSync(join(place, 'src/lib.rs'), '');
  writeFileSync(join(place, 'Cargo.toml'),
    `[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n${crate} = "=${version}"\n`);
  call('cargo', ['fetch', '--quiet'], { cwd: place });
  const sources = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry/src');
  const found = readdirSync(sources).map((registry) => join(sources, registry, `${crate}-${version}`)).find(existsSync);
  if (!found) throw new Error(`${name}: its source is not where cargo puts it`);
  return found;
}

/**
 * Prepares two copies, one for Derny and one for criterion.rs, with the same versions of all dependencies.
 */
function prepared(name) {
  const [ours, theirs] = ['ours', 'theirs'].map((side) => join(folder, side, name));
  if (!existsSync(join(theirs, 'ready'))) {
    const source = fetched(name);
    for (const place of [ours, theirs]) {
      rmSync(place, { recursive: true, force: true });
      cpSync(source, place, { recursive: true });
      rmSync(join(place, '.cargo-ok'), { force: true });
      writeFileSync(join(place, 'derny.toml'), '');
    }
    // Use the newest versions that this compiler supports, so that common dependencies are built once for all
    // projects.
    const hasLock = existsSync(join(ours, 'Cargo.lock'));
    if (PROJECTS[name]) {
      for (const place of [ours, theirs]) rmSync(join(place, 'Cargo.lock'), { force: true });
      const env = { ...process.env, CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS: 'fallback' };
      call('cargo', ['generate-lockfile', '--quiet'], { cwd: theirs, env });
      if (hasLock) cpSync(join(theirs, 'Cargo.lock'), join(ours, 'Cargo.lock'));
    }
    writeFileSync(join(theirs, 'ready'), '');
  }
  // All projects share one folder of built dependencies, because the comparison is about names and figures,
  // not builds.
  const shared = join(folder, 'cargo');
  mkdirSync(shared, { recursive: true });
  mkdirSync(join(ours, '.derny'), { recursive: true });
  if (!existsSync(join(ours, '.derny/cargo'))) symlinkSync(shared, join(ours, '.derny/cargo'));
  return { ours, theirs };
}

/** Programs that are only listed need no optimisation, and Cargo builds them in a fraction of the time. */
const PLAIN = { CARGO_PROFILE_BENCH_OPT_LEVEL: '0', CARGO_PROFILE_BENCH_LTO: 'off', CARGO_PROFILE_BENCH_DEBUG: 'false', CARGO_PROFILE_BENCH_CODEGEN_UNITS: '16' };

/** Returns the programs that Cargo has built from the benches, by suite. */
function programs(name, theirs, more = {}) {
  const env = { ...process.env, ...more, CARGO_TARGET_DIR: join(folder, 'target') };
  const features = FEATURES[name] ? ['--features', FEATURES[name]] : [];
  const { packages } = JSON.parse(call('cargo', ['metadata', '--no-deps', '--format-version', '1'], { cwd: theirs }));
  const told = packages.map((one) => [one, one.targets.filter(({ kind }) => kind.includes('bench'))]).filter(([, benches]) => benches.length).map(([{ id }, benches]) => {
    // `--benches` skips targets without their required features, and also builds the library's own tests.
    const some = benches.some((bench) => bench['required-features']?.length) ? ['--benches'] : benches.flatMap((bench) => ['--bench', bench.name]);
    // Skip targets that do not compile, because they have no list.
    return call('cargo', ['bench', '--no-run', '--no-fail-fast', '--quiet', '--package', id, ...some, '--message-format', 'json-render-diagnostics', ...features], { cwd: theirs, env, anyStatus: true });
  }).join('\n');
  const artifacts = told.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  // If there is no program at all, run the plain command, which shows the error.
  if (!artifacts.some(({ executable }) => executable)) call('cargo', ['bench', '--no-run', '--quiet', ...features], { cwd: theirs, env });
  const benches = artifacts.filter(({ executable, target }) => executable && target?.kind.includes('bench'));
  return new Map(benches.map(({ executable, target, manifest_path }) => {
    const isDivan = readFileSync(target.src_path, 'utf8').includes('divan');
    const name = relative(theirs, target.src_path).replace(/\.rs$/, '');
    return [name, { program: executable, cwd: dirname(manifest_path), isDivan }];
  }));
}

function listed({ program, cwd, isDivan }) {
  if (isDivan) return leaves(call(program, ['--bench', '--test', '--color', 'never'], { cwd, anyStatus: true }));
  const lines = call(program, ['--bench', '--list'], { cwd, anyStatus: true }).split('\n');
  return lines.map((line) => /^(.*): bench(?:mark)?$/.exec(line)?.[1]).filter((name) => name !== undefined);
}

/** Returns the paths of the leaves of the tree that divan prints, without the program's own name. */
function leaves(text) {
  const lines = text.split('\n').filter((line) => line.trim() && !line.includes('(ignored)')).map((line) => {
    const [, before, name] = /^((?:[│ ] {2})*(?:[├╰]─ )?)(.*?)\s*$/.exec(line);
    return { depth: before.length / 3, name };
  });
  const path = [];
  return lines.flatMap(({ depth, name }, at) => {
    path.length = depth;
    path.push(name);
    return (lines[at + 1]?.depth ?? 0) <= depth && depth > 0 ? [path.slice(1).join('::')] : [];
  });
}

const buildArgs = (name) => FEATURES[name] ? ['--build-args', `--features ${FEATURES[name]}`] : [];
const hash = (file) => existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'none';

function names(name) {
  const { ours, theirs } = prepared(name);
  const built = programs(name, theirs, PLAIN);
  const lock = hash(join(ours, 'Cargo.lock'));
  const start = performance.now();
  const output = join(folder, 'list.json');
  rmSync(output, { force: true });
  const list = (more) => call(engine, ['-qq', 'list', '--format', 'json', ...buildArgs(name)], { cwd: ours, env: { ...process.env, ...PLAIN }, ...more });
  // If there is no output at all, the second call shows the error.
  const cases = JSON.parse(list({ anyStatus: true }) || list() || '[]');
  const took = ((performance.now() - start) / 1e3).toFixed(1);
  const own = new Map();
  for (const { id: { suite, benchmark }, skip } of cases) own.set(suite, [...own.get(suite) ?? [], skip ? `skipped: ${skip}` : benchmark]);
  const wrong = [];
  let count = 0;
  for (const [suite, bench] of built) {
    const [a, b] = [listed(bench).sort(), (own.get(suite) ?? []).sort()];
    count += a.length;
    if (JSON.stringify(a) !== JSON.stringify(b)) {
      const only = (list, other) => list.filter((one) => !other.includes(one)).slice(0, 3).join(' | ');
      wrong.push(`${suite}: ${a.length} and ${b.length}; theirs alone: ${only(a, b)}; ours alone: ${only(b, a)}`);
    }
  }
  for (const [suite, cases] of own) {
    const listed = cases.filter((one) => !one.startsWith('skipped: '));
    if (!built.has(suite) && listed.length) wrong.push(`${suite}: its own program does not compile; ours lists ${listed.length}`);
  }
  const kept = hash(join(ours, 'Cargo.lock')) === lock;
  console.log(`${name} ${PROJECTS[name] ?? REPOSITORIES[name][1].slice(0, 7)}: ${built.size} targets, ${count} cases, ${wrong.length ? 'DIFFERENT' : count ? 'the same' : 'NONE'}, lock file ${kept ? 'as it was' : 'CHANGED'}, ${took} s`);
  wrong.forEach((line) => console.log(`  ${line}`));
}

function once(name) {
  const { ours } = prepared(name);
  const told = call(engine, ['run', '--once', '--color', 'never', ...buildArgs(name)], { cwd: ours, anyStatus: true, env: { ...process.env, ...PLAIN } });
  const lines = told.split('\n').map((line) => line.trim());
  const [passed, other] = [/ passed$/, / (failed|skipped)/].map((end) => lines.filter((line) => end.test(line)));
  console.log(`${name} once: ${passed.length} passed, ${other.length} did not`);
  other.slice(0, 5).forEach((line) => console.log(`  ${line}`));
}

/**
 * Returns the median of criterion.rs's samples in ns per call, from the file that it writes. A sample during
 * which the process was stopped is an outlier.
 */
function sampled(home) {
  const file = existsSync(home) && readdirSync(home, { recursive: true }).find((one) => one.endsWith('new/sample.json'));
  if (!file) return undefined;
  const { iters, times } = JSON.parse(readFileSync(join(home, file), 'utf8'));
  return middle(times.map((time, at) => time / iters[at]));
}

/** Returns a filter that selects only this case. criterion.rs 0.3 has no `--exact`. */
const exactly = (name) => `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** Parses a time as divan prints it. Returns ns. */
const inNs = (text) => {
  const [value, unit] = text.trim().split(' ');
  return Number(value) * { ps: 1e-3, ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 }[unit];
};

/** Returns the median of one case that divan prints. */
const printed = (text) => text.split('\n').map((line) => line.split('│')).filter((columns) => columns.length === 6).map((columns) => inNs(columns[2])).find((ns) => ns > 0);

/** Returns the options for times. criterion.rs 0.3 accepts only whole seconds. */
const times = ({ program, cwd }) => call(program, ['--bench', '--help'], { cwd, anyStatus: true }).includes('<measurement-time>') ? ['1', '1'] : ['0.3', values.budget];

/**
 * Measures a case with its framework twice and with Derny, in alternating slices of 200 ms. A change of the
 * machine's speed affects all three.
 */
async function beside({ bench, suite, one, ours }) {
  const output = join(folder, 'derny.json');
  const homes = [1, 2].map((copy) => join(folder, `criterion-${copy}`));
  for (const old of [...homes, output]) rmSync(old, { force: true, recursive: true });
  const [warm, long] = bench.isDivan ? [] : times(bench);
  const words = bench.isDivan
    ? ['--bench', '--color', 'never', '--min-time', values.budget, '--max-time', values.budget, exactly(one).replace('^', '(^|::)')]
    : ['--bench', '--noplot', '--sample-size', '60', '--warm-up-time', warm, '--measurement-time', long, '--nresamples', '1000', exactly(one)];
  const started = homes.map((home) => spawn(bench.program, words, { cwd: bench.cwd, stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, CRITERION_HOME: home } }));
  const said = started.map((child) => {
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    return chunks;
  });
  started.push(spawn(engine, ['-qq', 'run', '--budget', `${values.budget}s`, '--format', 'json', '--output', output, `${suite}.rs`, one], { cwd: ours, stdio: 'ignore' }));
  const ended = started.map((child) => new Promise((resolve) => child.once('close', resolve)));
  await alternated(started.map(({ pid }) => pid), Promise.all(ended));
  const own = homes.map((home, at) => bench.isDivan ? printed(Buffer.concat(said[at]).toString()) : sampled(home));
  if (!existsSync(output)) return own;
  const measured = JSON.parse(readFileSync(output, 'utf8')).suites.flatMap(({ cases }) => cases).find(({ case: { id } }) => id.benchmark === one);
  return [...own, measured?.variants[0].time?.typical.value];
}

async function figures(name) {
  const { ours, theirs } = prepared(name);
  const built = programs(name, theirs);
  call(engine, ['-qq', 'list', ...buildArgs(name)], { cwd: ours, anyStatus: true });
  let left = Number(values.cases);
  for (const [suite, bench] of built) {
    const all = listed(bench).filter((one) => (FIGURES[name] ?? /./).test(one));
    const step = Math.max(1, Math.floor(all.length / left));
    for (const one of all.filter((_, at) => at % step === 0).splice(0, left)) {
      left--;
      for (let round = 0; round < Number(values.rounds); round++) {
        const [first, second, mine] = await beside({ bench, suite, one, ours });
        const shown = [first, second, mine].map((ns) => ns?.toPrecision(3) ?? 'nothing');
        console.log(`${name} ${one}: its own ${shown[0]} and ${shown[1]} ns, Derny ${shown[2]} ns; second to first ${(second / first).toFixed(3)}, Derny to both ${(mine / Math.sqrt(first * second)).toFixed(3)}`);
      }
    }
  }
}

/** Returns the program that Derny has built for a suite. */
function ownProgram(ours, suite) {
  const builds = join(ours, '.derny/builds/build-0');
  return readdirSync(builds).map((one) => join(builds, one, suite)).find(existsSync);
}

function loops(name) {
  const { ours, theirs } = prepared(name);
  call(engine, ['-qq', 'list', ...buildArgs(name)], { cwd: ours, anyStatus: true });
  const found = [...programs(name, theirs)].filter(([, { isDivan }]) => !isDivan).map(([suite, { program }]) => sameLoops(program, ownProgram(ours, suite)));
  const sum = (key) => found.reduce((total, one) => total + one[key], 0);
  console.log(`${name}: ${sum('all')} loops of iter, ${sum('same')} of them with the same operations in the same order`);
}

/** Returns every case that the benches list, with its program. */
const everyCase = (name) => [...programs(name, prepared(name).theirs).values()].flatMap((bench) => listed(bench).map((one) => ({ bench, one })));

function theirs(name) {
  const all = everyCase(name);
  const step = Math.max(1, all.length / Number(values.sample));
  const chosen = Array.from({ length: Math.floor(all.length / step) }, (_, at) => all[Math.floor(at * step)]);
  const start = performance.now();
  for (const { bench, one } of chosen) {
    const words = bench.isDivan ? ['--bench', '--exact', one.split('::')[0]] : ['--bench', exactly(one)];
    call(bench.program, words, { cwd: bench.cwd, env: { ...process.env, CRITERION_HOME: join(folder, 'criterion') } });
  }
  const each = (performance.now() - start) / 1e3 / chosen.length;
  console.log(`${name}: ${chosen.length} of ${all.length} cases: ${each.toFixed(2)} s each, ${(100 * each).toFixed(0)} s for 100`);
}

const middle = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;
const seconds = (cases) => Number(values.total ?? Math.ceil(.8 * cases));

/** Times a run from the start of the command to its end, without earlier compilation. Returns its file. */
function timed(ours, words) {
  const env = { cwd: ours, anyStatus: true };
  const output = join(folder, 'timed.json');
  rmSync(output, { force: true });
  // The first listing builds.
  const count = JSON.parse(call(engine, ['-qq', 'list', '--format', 'json'], env)).filter(({ skip }) => !skip).length;
  if (words.length) call(engine, ['-qq', 'run', '--once', ...words], env);
  const start = performance.now();
  call(engine, ['-qq', 'run', ...words, '--total', `${seconds(count)}s`, '--format', 'json', '--output', output], env);
  return { count, took: (performance.now() - start) / 1e3, read: () => JSON.parse(readFileSync(output, 'utf8')) };
}

const width = ({ interval, value }) => interval ? (interval.hi - interval.lo) / 2 / value : Infinity;

function time(name) {
  const { count, took, read } = timed(prepared(name).ours, []);
  const widths = read().suites.flatMap(({ cases }) => cases).flatMap(({ variants: [{ time }] }) => time ? [width(time.typical)] : []);
  console.log(`${name}: derny run, ${widths.length} of ${count} cases in ${took.toFixed(1)} s, ${(100 * took / count).toFixed(0)} s for 100, typical time ±${(100 * middle(widths)).toFixed(2)} % in the median`);
}

function sides(name) {
  const { ours } = prepared(name);
  const git = (...words) => call('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: ours });
  if (!existsSync(join(ours, '.git'))) {
    git('init', '--quiet');
    git('add', '--all', '--force', '--', ...readdirSync(ours).filter((one) => !['.git', '.derny', 'target'].includes(one)));
    git('commit', '--quiet', '--message', 'as published');
  }
  const { count, took } = timed(ours, ['-x', 'main@HEAD', '-x', 'head']);
  const judged = new Map();
  const widths = [];
  for (const { sides: [side] } of JSON.parse(call(engine, ['-qq', 'compare', '--format', 'json'], { cwd: ours, anyStatus: true })).comparison.cases) {
    const change = side?.changes.find(({ statistic }) => statistic === 'typical');
    const verdict = change?.verdict ?? 'none';
    judged.set(verdict, (judged.get(verdict) ?? 0) + 1);
    if (change?.change.interval) widths.push((change.change.interval.hi - change.change.interval.lo) / 2);
  }
  console.log(`${name}: derny run -x main@HEAD -x head, ${count} cases in ${took.toFixed(1)} s, ${(100 * took / count).toFixed(0)} s for 100, changes ±${(100 * middle(widths)).toFixed(2)} % in the median; ${[...judged].map(([verdict, n]) => `${n} ${verdict}`).join(', ')}`);
}

const ROWS = { names: [names, [...Object.keys(PROJECTS), ...Object.keys(REPOSITORIES)]], once: [once, [...Object.keys(PROJECTS), ...Object.keys(REPOSITORIES)]], figures: [figures, Object.keys(FIGURES)], loops: [loops, Object.keys(FIGURES)], theirs: [theirs, TIMED], time: [time, TIMED], sides: [sides, TIMED] };
const end = performance.now() + Number(values.minutes) * 60e3;
for (const row of positionals.length ? positionals : ['names', 'figures']) {
  const [one, all] = ROWS[row] ?? (() => { throw new Error(`there is no row ${row}`); })();
  for (const name of values.project ?? all) {
    if (performance.now() > end) break;
    try {
      await one(name);
    } catch (error) {
      const [command, ...lines] = error.message.split('\n');
      const from = Math.max(0, lines.findIndex((line) => line.startsWith('error')));
      console.log(`${name}: ${[command, ...lines.slice(from, from + 12)].join('\n  ')}`);
    }
  }
}
