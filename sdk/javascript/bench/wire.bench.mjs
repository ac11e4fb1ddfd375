// Measures the harness's work between two turns: parsing a command and writing a reply. Run
// `derny run javascript` in the checkout.
import { bench, group } from 'derny';
import wire from '../src/wire.cjs';

const { Message, decode, encode, print } = wire;
const times = (n) => Array.from({ length: n }, (_, i) => 20_000 + ((i * 7919) % 400));

group('wire', () => {
  bench('read measure', { setup: () => 'measure iterations=412 batches=100 within=2000000' }, (line) => {
    const message = new Message(line);
    return message.integer('iterations') + message.integer('batches') + message.integer('within');
  });

  bench('read open', { setup: () => 'open benchmark=url/parse p.kind=short p.n=10' }, (line) => {
    const message = new Message(line);
    return [message.needed('benchmark'), message.params()];
  });

  bench('write times', { params: { batches: [1, 100, 1000] }, setup: ({ batches }) => times(batches) }, (list) => `times ${list.join(' ')}`);

  bench('write case', { setup: () => ({ benchmark: 'url/parse', 'p.kind': 'short', 'p.n': 10, tags: ['fast', 'url'] }) }, (fields) => print('case', fields));

  bench('encode', { params: { text: ['plain', 'a b = 50%'] } }, ({ text }) => encode(text));

  bench('decode', { params: { text: ['plain', 'a%20b%20%3D%2050%25'] } }, ({ text }) => decode(text));
});
