// Warnings and failures, with explanations of their codes.
import { cases, data, nameOf, type Failure, type Warning } from './data';
import { closed, h, section } from './dom';

const texts = new Map(data.explanations.map(([code, title, text]) => [code, { title, text }]));

/**
 * Converts text to paragraphs. Lines that begin with four spaces are kept as they are, and words in
 * backquotes become code.
 */
export function prose(text: string): HTMLElement[] {
  return text.trim().split('\n\n').map((paragraph) => {
    if (paragraph.startsWith('    ')) return h('pre', {}, paragraph.replace(/^ {4}/gm, ''));
    const words = paragraph.replace(/\s+/g, ' ').split('`');
    return h('p', {}, ...words.map((part, at) => (at % 2 ? h('code', {}, part) : part)));
  });
}

/** Returns a warning as one sentence, with its remedy. */
export function doubt(one: Warning | Failure, about = ''): HTMLElement {
  const failure = 'what' in one;
  return h('p', { class: failure ? 'doubt failure' : 'doubt' },
    h('a', { href: `#${one.code}` }, `${failure ? 'error' : 'warning'} ${one.code}`), ' ', about, failure ? `${one.what} (${one.place.join(' · ')})` : [one.message, one.effect].filter(Boolean).join('; '),
    failure && one.why ? h('span', { class: 'why' }, one.why) : '', one.remedy && h('span', { class: 'faint remedy' }, one.remedy));
}

export function warnings(): HTMLElement | null {
  const all: (Warning | Failure)[] = [...data.document.failures, ...data.document.warnings, ...(data.document.comparison?.warnings.filter((own) => !data.document.warnings.some((w) => w.code === own.code)) ?? [])];
  if (all.length === 0) return section('warnings', 'Warnings', h('p', {}, 'There are no warnings.'));
  const codes = [...new Set(all.map(({ code }) => code))].sort();
  const decides = (code: string) => all.some((one) => one.code === code && (!('decides' in one) || one.decides));
  const article = (code: string) => {
    // Warnings that can change a decision come first.
    const own = all.filter((one) => one.code === code).sort((a, b) => Number('decides' in b && b.decides) - Number('decides' in a && a.decides));
    const { title, text } = texts.get(code) ?? { title: '', text: '' };
    const name = (one: Warning | Failure) => {
      const found = one.case === null ? undefined : cases[one.case];
      const text = found ? nameOf(found.id) : '';
      return text && !('message' in one && one.message.includes(text)) ? `${text}: ` : '';
    };
    // If all warnings of a code have the same remedy, it is shown once.
    const remedy = own.every((one) => one.remedy === own[0]!.remedy) ? own[0]!.remedy : '';
    const line = (one: Warning | Failure) => doubt(remedy ? { ...one, remedy: '' } : one, name(one));
    return h('article', { id: code, tabindex: -1 },
      h('h3', {}, `${code} ${title}`, h('span', { class: 'faint' }, ` ${own.length === 1 ? 'once' : `${own.length} times`}`)),
      ...own.slice(0, 5).map(line),
      own.length > 5 && closed(`${own.length - 5} more`, () => own.slice(5).map(line)),
      remedy && h('p', { class: 'faint' }, remedy),
      text && closed('Meaning and remedy', () => prose(text)));
  };
  const others = codes.filter((code) => !decides(code));
  return section('warnings', 'Warnings', ...codes.filter(decides).map(article),
    others.length > 0 && h('details', {}, h('summary', {}, `${others.length} that do not affect decisions: ${others.join(', ')}`), ...others.map(article)));
}
