// The page: its parts in order, and the case that the address names.
import { follow, read, type State } from './address';
import { detail } from './case';
import { forget, paper } from './charts';
import { commitLink } from './commits';
import { comparison } from './comparison';
import { caseNamed, cases, data, run } from './data';
import { h } from './dom';
import { entries } from './entries';
import { downloads, environment } from './environment';
import { date } from './format';
import { mark } from './mark';
import { firstCase, overview } from './overview';
import { ranking } from './ranking';
import { scaling } from './scaling';
import { theme } from './theme';
import { warnings } from './warnings';

read();
const parts = [comparison(), ranking(), overview(), h('div', { id: 'detail' }), scaling(), warnings(), environment(), downloads()].filter((part) => part !== null);
const holder = parts.find(({ id }) => id === 'detail')!;
const count = data.document.warnings.filter(({ decides }) => decides).length + data.document.failures.length;
const names: Record<string, string> = { comparison: 'Comparison', ranking: 'Fastest first', overview: data.document.comparison ? 'Cases' : 'Overview', scaling: 'Along a parameter', warnings: `Warnings (${count})`, environment: 'Environment', data: 'Data' };
const runtimes = run.runtimes.map((runtime) => runtime.split(' ').slice(1).join(' ')).join(', ');
const { commit } = run;
const facts = [run.note && data.subject, (run.note || data.document.comparison || run.imported) && `run ${run.id}`, date(run.started_ms), commit && commitLink(commit.hash + (commit.dirty ? '+' : '')), commit?.branch, runtimes, run.machine.cpu,
  `${cases.length} ${cases.length === 1 ? 'case' : 'cases'}`, run.status !== 'complete' && run.status].filter((fact): fact is Node | string => Boolean(fact));

/** Colour of the summary, which is that of the most urgent verdict. */
const tone = ['worse', 'better', 'unclear'].find((verdict) => entries.some(({ change }) => change.verdict === verdict)) ?? 'same';

document.body.append(
  h('a', { class: 'skip', href: '#overview' }, 'Skip to the results'),
  h('header', { id: 'top' }, h('div', {}, h('h1', {}, run.note || data.subject), theme()),
    data.headline && h('p', { class: `headline ${tone}` }, data.headline),
    h('p', { class: 'faint' }, ...facts.flatMap((fact, at) => (at > 0 ? [' · ', fact] : [fact]))),
    h('nav', { 'aria-label': 'Parts' }, ...parts.filter(({ id }) => names[id]).map(({ id }) => h('a', { href: `#${id}` }, names[id]!)))),
  h('main', {}, ...parts));

let shown = -1;

/** Shows the case in the address, or else the worst. */
function show({ case: name }: State): void {
  const index = caseNamed(name) ?? firstCase();
  if (!cases[index] || index === shown) return;
  shown = index;
  forget(holder);
  holder.replaceChildren(detail(index));
  mark(index);
}

/** Moves to the target of the address. */
function move(): void {
  if (read()) {
    const named = location.hash.startsWith('#case=');
    if (named) holder.scrollIntoView();
    if (named) holder.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    return;
  }
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  target?.closest('details')?.setAttribute('open', '');
  target?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

follow(show);
addEventListener('popstate', move);
addEventListener('beforeprint', () => paper(true));
addEventListener('afterprint', () => paper(false));
if (read() && location.hash.startsWith('#case=')) move();
else show({ case: '', filter: '', sort: '' });
document.documentElement.dataset.ready = String(Math.round(performance.now()));
