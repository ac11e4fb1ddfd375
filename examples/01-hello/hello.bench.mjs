import { bench } from 'derny';

const words = Array.from({ length: 100 }, (_, i) => `word${i}`);

bench('join', () => words.join(' '));

bench('concatenate', () => {
  let text = words[0];
  for (let i = 1; i < words.length; i++) text += ` ${words[i]}`;
  return text;
});
