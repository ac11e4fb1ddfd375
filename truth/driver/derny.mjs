// Derny's side of a comparison: measures one case with `derny run` and reads its document.
import { command } from './command.mjs';
import { BODIES } from './languages.mjs';
import { built, ROOT } from './places.mjs';

/**
 * Time limit of a run in seconds, because a run that hangs would never end. The slowest run takes a minute.
 */
const SECONDS = 300;

/** Returns the store of an engine. An older engine could not read the store of a newer one. */
const store = (engine) => built('store', engine.replaceAll(/\W+/g, '-'));

/** Returns the whole command line: the language's file, or the command that starts it after `--`. */
export function line(engine, language, flags) {
  const verb = [engine, '--no-config', '--store', store(engine), 'run', ...(language.flags ?? []), ...flags];
  return language.command ? [...verb, '--', ...language.command] : [...verb, language.file];
}

const environment = (language) => ({ ...language.env, ...language.derny?.() });

/** Builds a language's benchmarks and calls each of them once, so that no measurement includes a build. */
export async function prepare(engine, language) {
  await command(line(engine, language, ['--once']), { seconds: 600, cwd: ROOT, env: environment(language) });
}

/** Measures one body. @param {string[]} extra additional words for `derny run` */
export async function derny(engine, language, body, extra) {
  // A file's name selects all of its bodies, so the other bodies are excluded by name.
  const others = BODIES.filter((other) => other !== body).flatMap((other) => ['--exclude', `**/${other}`]);
  const flags = [...others, '-f', 'json', ...extra];
  const limits = { seconds: SECONDS, cwd: ROOT, env: environment(language) };
  const { output, seconds } = await command(line(engine, language, flags), limits);
  return { ...read(JSON.parse(output), language.mode), seconds };
}

const value = (estimate) => (typeof estimate === 'number' ? estimate : estimate?.value ?? null);

/**
 * Returns the figures of a document with one case.
 * @param {string} [mode] the harness's mode that times the same as the plain loop, unless it is the first; it has no mean
 */
export function read(document, mode) {
  const cases = document.suites.flatMap((suite) => suite.cases);
  const failures = JSON.stringify(document.failures);
  if (cases.length !== 1) throw new Error(`${cases.length} cases were measured instead of one: ${failures}`);
  const [measured] = cases[0].variants;
  if (!measured?.time?.typical) throw new Error(`Derny reports no time: ${failures}`);
  // The time including everything is called `mean`. Older documents call it `amortised`; their `mean` is
  // another figure.
  const mean = value(measured.time.amortised ?? measured.time.mean);
  const metric = (name) => value(measured.metrics.find((entry) => entry.metric.name === name)?.estimate);
  const share = metric('gc_time');
  return {
    typical_ns: mode ? metric(mode) : value(measured.time.typical),
    mean_ns: mode ? null : mean,
    gc: metric('gc'),
    gc_share: share === null ? null : share / mean,
    faults: metric('faults'),
    allocated: metric('allocated'),
    processes: measured.processes,
    warnings: (document.warnings ?? []).map((warning) => warning.code),
  };
}
