// The filter: its words, and the input field. All tables and charts of cases follow it.
import { change, current, follow } from './address';
import { data } from './data';
import { h } from './dom';

/** Returns a function that tests whether a text, in lower case, contains every word of the filter. */
export function filtering(): (words: string) => boolean {
  const wanted = current().filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (words) => wanted.every((word) => words.includes(word));
}

/** A word to choose, with the number of rows that it leaves. */
export type Choice = [word: string, count: number];

/** Returns the field, and a button for each word. */
export function field(choices: Choice[]): HTMLElement[] {
  const input = h('input', { type: 'search', id: 'filter', placeholder: data.document.comparison ? 'slower, a name, n=100 …' : 'a name, n=100 …', autocomplete: 'off', value: current().filter, oninput: () => change({ filter: input.value }) });
  const buttons = choices.map(([word, count]) => h('button', { type: 'button', class: `choice ${word}`, 'data-word': word, 'aria-pressed': 'false', onclick: () => change({ filter: current().filter === word ? '' : word }) }, `${count} ${word}`));
  const show = ({ filter }: { filter: string }) => {
    if (input.value !== filter) input.value = filter;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.word === filter));
  };
  follow(show);
  show(current());
  return [h('label', { for: 'filter' }, 'Filter'), input, ...buttons];
}
