// Differences between the sides of a comparison: commits, runs, and the machine.
import { commitOf } from './commits';
import { data, run } from './data';
import { h, table } from './dom';
import { shownSides } from './entries';
import { date, percent, signed } from './format';
import type { Side } from './model';

type Cell = Node | string;

const text = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.textContent ?? '');
const joined = (parts: Cell[]): Cell => (parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : h('span', {}, ...parts));

/** Returns a row for each difference between the sides, and two rows that are always of interest. */
export function differences(): (HTMLElement | null)[] {
  const compared = data.document.comparison;
  if (!compared) return [];
  const sides = [0, ...shownSides];
  const of = (at: number): Side => compared.sides[at]!;
  const variant = (side: Side) => (side.run === run.id ? run.variants.find(({ name }) => name === side.variant) : undefined);
  const way = (side: Side) => {
    const own = variant(side);
    return own ? [...(own.command ?? []), ...own.args].join(' ') || '–' : '–';
  };
  const every = (what: string, cell: (side: Side, at: number) => Cell): Cell[] => [what, ...sides.map((at) => cell(of(at), at))];
  const commit = (side: Side) => {
    const revision = variant(side)?.revision;
    return joined(commitOf(revision ? { hash: revision, branch: null, dirty: false } : side.commit));
  };
  const known = new Set(compared.context.map(({ what }) => what));
  const context = [...known].map((what) => {
    const own = compared.context.filter((one) => one.what === what);
    return every(what, (_, at) => (at === 0 ? own[0]!.base : own.find(({ side }) => side === at)?.new ?? own[0]!.base) || 'none');
  });
  const moved = (compared.machine ?? []).flatMap(({ side, yardsticks }) => yardsticks.filter((one) => one.moved).map((one) => ({ side, ...one })));
  const yardsticks = [...new Set(moved.map(({ name }) => name))].map((name) => every(`speed of the machine: ${name}`, (_, at) => {
    const own = moved.find((one) => one.name === name && one.side === at);
    return own ? `${signed(own.change)} ± ${percent(own.error)}` : '–';
  }));
  const rows = [
    every('commit', commit), every('run', ({ run: id }) => id), every('begun', ({ started_ms }) => date(started_ms)), every('command', way),
    every('environment', (side) => variant(side)?.env.map(([key, value]) => `${key}=${value}`).join(' ') || '–'),
    ...(known.has('runtime') ? [] : [every('runtime', ({ runtimes }) => runtimes.join(', ') || '–')]), ...context, ...yardsticks,
  ];
  const differs = rows.filter(([, ...cells]) => new Set(cells.map(text)).size > 1);
  const title = h('h3', {}, 'Differences between the sides');
  return differs.length > 0
    ? [title, table('Differences between the sides', ['what', ...sides.map((at) => of(at).name)], differs, 'words')]
    : [title, h('p', { class: 'faint' }, 'None: same commit, run and machine.')];
}
