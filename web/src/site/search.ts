// The search field: words, which a case must match all. A word is a part of a name, a figure or a machine. With `*`
// or `?` it is a pattern of complete names, as on the command line. `key=value` is a parameter.
import type { Row } from './data';

/** Returns a pattern of names as a regular expression: `*` within a component, `**` across components. */
function glob(word: string): RegExp {
  const parts = word.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}$`, 's');
}

const isGlob = (word: string): boolean => /[*?]/.test(word);

type Test = (row: Row) => boolean;

function test(word: string): Test {
  const [, key, value] = /^([^/*?=]+)=(.*)$/s.exec(word) ?? [];
  const part: Test = ({ case: { words }, host, figure, apart, against }) => [words, host, figure.name, apart ?? '', against ?? ''].some((text) => text.toLowerCase().includes(word));
  if (key !== undefined) {
    const fits = isGlob(value!) ? (own: string) => glob(value!).test(own) : (own: string) => own === value;
    return (row) => {
      const own = row.case.params.find(([name]) => name.toLowerCase() === key);
      return own ? fits(own[1].toLowerCase()) : part(row);
    };
  }
  if (!isGlob(word)) return part;
  const whole = glob(word);
  return ({ case: { suite, name, words } }) => {
    const [below, own] = [suite.toLowerCase(), name.toLowerCase()];
    const benchmark = own.split(' ')[0]!;
    return [words, own, benchmark, below, `${below}/${benchmark}`].some((form) => whole.test(form));
  };
}

/** Returns a function that tests whether a row matches every word of a text. */
export function searching(text: string): Test {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(test);
  return (row) => tests.every((one) => one(row));
}
