// Profiles of a case (`--diagnose=profile`): where each side spends its time, and the files for
// viewers of profiles.
import { profilesOf, nameOf, run, type Case, type Profile } from './data';
import { h, table } from './dom';
import { percent } from './format';
import { slug, store } from './picture';
import { labelOf } from './sides';

/** Time by function, in any unit. */
type Times = Map<string, number>;

interface Call { functionName: string; url: string; lineNumber: number }
interface CpuProfile { nodes: { id: number; callFrame: Call }[]; samples?: number[]; timeDeltas?: number[] }

/** Number of functions in the table. */
const SHOWN = 12;

/** Returns the self time of every function in a V8 profile. */
function ofV8({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Times {
  const names = new Map(nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [id, `${functionName || '(anonymous)'}${url ? ` ${url.split('/').at(-1)}:${lineNumber + 1}` : ''}`]));
  const times: Times = new Map();
  samples.forEach((id, at) => {
    const name = names.get(id) ?? '';
    if (name !== '(idle)' && name !== '(program)' && name !== '(root)') times.set(name, (times.get(name) ?? 0) + Math.max(0, timeDeltas[at] ?? 0));
  });
  return times;
}

/**
 * Returns the number of samples of every function in folded stacks, such as `main;parse;scan
 * 42`.
 */
function ofStacks(text: string): Times {
  const times: Times = new Map();
  for (const [, stack, count] of text.matchAll(/^(.*) (\d+)\s*$/gm)) {
    const name = stack!.split(';').at(-1)!;
    times.set(name, (times.get(name) ?? 0) + Number(count));
  }
  return times;
}

/** Returns the times in a file, or an empty list if it has another form. */
function timesOf({ file, text }: Profile): Times {
  try {
    if (text && file.endsWith('.cpuprofile')) return ofV8(JSON.parse(text) as CpuProfile);
  } catch {
    return new Map();
  }
  return text && /\.(folded|collapsed)$/.test(file) ? ofStacks(text) : new Map();
}

const totalOf = (times: Times): number => [...times.values()].reduce((sum, own) => sum + own, 0);

/** Returns the profiles of a case with the functions that take most time, or nothing. */
export function profile(one: Case, index: number): HTMLElement | null {
  const files = profilesOf(index);
  if (files.length === 0) return null;
  const variants = [...new Set(files.map(({ variant }) => variant))];
  // A process may write one file per thread. Show that of the busiest thread.
  const busiest = variants.map((variant) => files.filter((file) => file.variant === variant).map(timesOf).sort((a, b) => totalOf(b) - totalOf(a))[0]!);
  const name = (variant: number) => run.variants[variant]?.name ?? '';
  const share = (at: number, key: string) => (busiest[at]!.get(key) ?? 0) / (totalOf(busiest[at]!) || 1);
  const functions = [...new Set(busiest.flatMap((times) => [...times.keys()]))].map((key) => [key, Math.max(...variants.map((_, at) => share(at, key)))] as const)
    .sort(([, a], [, b]) => b - a).slice(0, SHOWN).filter(([, most]) => most > 0.005);
  const rows = functions.map(([key]) => [key, ...variants.map((_, at) => (share(at, key) > 0 ? percent(share(at, key)) : '–'))]);
  const heads = variants.map((variant) => (variants.length > 1 ? labelOf(name(variant)) : 'share of the time'));
  const file = (own: Profile) => {
    const suffix = own.file.slice(own.file.search(/\.(cpuprofile|speedscope\.json|folded|collapsed)$/));
    const number = files.filter(({ variant }) => variant === own.variant).indexOf(own);
    const saved = [slug(nameOf(one.case.id)), slug(name(own.variant)), number > 0 ? String(number + 1) : ''].filter(Boolean).join('-') + suffix;
    return own.text === null ? h('span', { class: 'faint' }, `${own.file} is too large for the page`)
      : h('button', { type: 'button', class: 'profile', onclick: () => store(saved, new Blob([own.text!], { type: 'application/json' })) }, saved);
  };
  return h('figure', { class: 'profiles' }, h('figcaption', {}, h('span', {}, 'Profile ', h('span', { class: 'faint' }, '(share of the time in each function, excluding its callees)'))),
    rows.length > 0 && table('Profile', ['function', ...heads], rows),
    h('p', { class: 'faint' }, 'Save a file, and open it in speedscope (', h('a', { href: 'https://www.speedscope.app', rel: 'noreferrer' }, 'speedscope.app'), ') or in the developer tools of a browser:'),
    h('div', { class: 'tools' }, ...files.map(file)));
}
