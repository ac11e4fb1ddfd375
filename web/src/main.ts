// The page: its parts in order, and the case that the URL selects.
import { forget, paper, redraw } from './charts';
import { detail } from './case';
import { comparison } from './comparison';
import { cases, data, run } from './data';
import { h } from './dom';
import { warnings } from './warnings';
import { downloads, environment } from './environment';
import { date } from './format';
import { mark, overview } from './overview';
import { ranking } from './ranking';
import { scaling } from './scaling';

const THEMES = ['auto', 'light', 'dark'];

function theme(): HTMLElement {
  const set = (name: string) => {
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `colours: ${name}`;
    redraw();
  };
  let at = 0;
  const button = h('button', { type: 'button', class: 'theme', onclick: () => { at = (at + 1) % THEMES.length; set(THEMES[at]!); } }, 'colours: auto');
  return button;
}

const compared = comparison();
const parts = [compared, ranking(), overview(), h('div', { id: 'detail' }), scaling(), warnings(), environment(), downloads()].filter((part) => part !== null);
const holder = parts.find(({ id }) => id === 'detail')!;
const count = data.document.warnings.filter(({ decides }) => decides).length + data.document.failures.length;
const names: Record<string, string> = { comparison: 'Comparison', ranking: 'Fastest first', overview: `Overview`, scaling: 'Along a parameter', warnings: `Warnings (${count})`, environment: 'Environment', data: 'Data' };
const runtimes = run.runtimes.map((runtime) => runtime.split(' ').slice(1).join(' ')).join(', ');
const facts = [`run ${run.id}`, date(run.started_ms), run.commit && `${run.commit.hash.slice(0, 7)}${run.commit.dirty ? '+' : ''}`, runtimes, run.machine.cpu, `${cases.length} cases`, run.status !== 'complete' && run.status];

document.body.append(
  h('a', { class: 'skip', href: '#overview' }, 'Skip to the results'),
  h('header', {}, h('div', {}, h('h1', {}, run.note || 'Benchmark report'), theme()), h('p', { class: 'faint' }, facts.filter(Boolean).join(' · ')),
    h('nav', { 'aria-label': 'Parts' }, ...parts.filter(({ id }) => names[id]).map(({ id }) => h('a', { href: `#${id}` }, names[id]!)))),
  h('main', {}, ...parts));

/** Shows the case that the URL selects, or else the first one that was measured. */
function go(jump: boolean): void {
  const named = /^#case-(\d+)$/.exec(location.hash);
  const index = named ? Number(named[1]) : cases.findIndex(({ variants }) => variants.length > 0);
  if (!cases[index] || (!named && holder.firstChild)) return;
  forget(holder);
  holder.replaceChildren(detail(index));
  mark(index);
  if (named && jump) {
    holder.scrollIntoView();
    holder.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  }
}

addEventListener('hashchange', () => {
  go(true);
  const target = document.getElementById(location.hash.slice(1));
  target?.closest('details')?.setAttribute('open', '');
  target?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
});
addEventListener('beforeprint', () => paper(true));
addEventListener('afterprint', () => paper(false));
go(true);
document.documentElement.dataset.ready = String(Math.round(performance.now()));
