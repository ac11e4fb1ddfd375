// The environment of the run, and downloads of its data.
import { cases, data, keyOf, nameOf, run, whole, wholeDocument } from './data';
import { commitOf } from './commits';
import { differences } from './differences';
import { h, section, table } from './dom';
import { bytes, date } from './format';
import { store } from './picture';

export function environment(): HTMLElement {
  const { machine, commit, imported } = run;
  const rows: [string, Node | string][] = [
    ['run', run.id], ['begun', date(run.started_ms)], ['took', run.ended_ms === null ? '–' : `${Math.round((run.ended_ms - run.started_ms) / 1000)} s`], ['status', run.status],
    ['command line', run.args.length > 0 ? ['derny', ...run.args].join(' ') : '–'], ['commit', commit ? h('span', {}, ...commitOf(commit)) : '–'], ['imported', imported ? [imported.tool || imported.format, imported.file].join(' from ') : '–'],
    ['note', run.note ?? '–'], ['runtimes', run.runtimes.join(', ')], ['processor', [machine.cpu, machine.cores > 0 && `${machine.cores} online`].filter(Boolean).join(', ')], ['memory', machine.memory_bytes > 0 ? bytes(machine.memory_bytes) : '–'],
    ['system', `${machine.os} ${machine.kernel}`.trim()], ['host', machine.host], ...Object.entries(machine.facts), ['not observed', machine.unobserved.join(', ') || '–'],
    ['derny', run.derny], ['seed', String(run.seed)],
  ];
  const variants = run.variants.map(({ name, command, args, env, revision }) =>
    [name, [...(command ?? []), ...args].join(' ') || '–', env.map(([key, value]) => `${key}=${value}`).join(' ') || '–', revision ?? '–']);
  const settings = Object.entries(run.settings).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
  return section('environment', 'Environment', ...differences(), data.document.comparison ? h('h3', {}, 'Run and machine') : null, table('Run and machine', [], rows.filter(([, value]) => value !== '–' && value !== ''), 'words'),
    run.variants.length > 1 && h('h3', {}, 'Variants'), run.variants.length > 1 && table('Variants', ['variant', 'command', 'environment', 'revision'], variants, 'words'),
    h('details', {}, h('summary', {}, 'Settings'), table('Settings', [], settings, 'words')));
}

const field = (value: string | number): string => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
const csv = (rows: (string | number)[][]): string => rows.map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';

function results(): string {
  const rows = cases.flatMap(({ id }, index) => whole(index)[0].variants.map(({ variant, time, figures, processes, turns, batches }) => [
    id.suite, nameOf(id), variant, ...(time ? [time.typical.value, time.typical.interval?.lo ?? '', time.typical.interval?.hi ?? '', time.mean.value, figures.find(({ name, metric }) => name === 'ops_per_second' && !metric)?.value ?? ''] : ['', '', '', '', '']), processes, turns, batches]));
  return csv([['suite', 'case', 'variant', 'typical_ns', 'lo_ns', 'hi_ns', 'mean_ns', 'ops_per_second', 'processes', 'turns', 'batches'], ...rows]);
}

function turns(): string {
  const rows = cases.flatMap((one, index) => whole(index)[1].flatMap(([process, block, variant, own]) => own.map(([at, value, slowest, bits]) => [
    one.id.suite, nameOf(one.id), run.variants[variant]?.name ?? '', process, block, at, ['warm-up', 'measured', 'rejected'][bits & 3]!, value, slowest,
    data.causes.filter((_, bit) => (bits >> 2) & (1 << bit)).join(' ')])));
  return csv([['suite', 'case', 'variant', 'process', 'block', 'at_ms', 'phase', 'value_ns', 'slowest_ns', 'causes'], ...rows]);
}

function processes(): string {
  const rows = cases.flatMap(({ id }, index) => whole(index)[0].variants.flatMap(({ variant, time }) => (time?.processes ?? []).map((process) => [id.suite, keyOf(id), variant, process.process, process.time_ns, process.turns, process.within, process.class])));
  return csv([['suite', 'case', 'variant', 'process', 'time_ns', 'turns', 'within', 'course'], ...rows]);
}

/**
 * Combines small pieces of text into larger blobs, which the browser may store outside of
 * memory.
 */
function* packed(pieces: Iterable<string>): Generator<Blob> {
  let [held, size]: [string[], number] = [[], 0];
  for (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size < 1 << 24) continue;
    yield new Blob(held);
    [held, size] = [[], 0];
  }
  yield new Blob(held);
}

export function downloads(): HTMLElement {
  const save = (name: string, kind: string, make: () => Iterable<string>) => h('button', {
    type: 'button', onclick: () => {
      store(name, new Blob([...packed(make())], { type: kind }));
    },
  }, name);
  return section('data', 'Data', h('p', {}, 'This file contains all data of the page. It can be read by ', h('code', {}, 'derny compare'), ', ', h('code', {}, 'derny plot'), ' and ', h('code', {}, 'derny show'), '.'),
    h('div', { class: 'tools' }, save(`${run.id}.json`, 'application/json', wholeDocument), save(`${run.id}-results.csv`, 'text/csv', () => [results()]),
      save(`${run.id}-processes.csv`, 'text/csv', () => [processes()]), data.traced && save(`${run.id}-turns.csv`, 'text/csv', () => [turns()])));
}
