// Tests the README's recording: the screen behaves like a terminal, and the picture contains every state at
// its time.
import assert from 'node:assert/strict';
import test from 'node:test';
import { picture, states } from '../scripts/recording/picture.mjs';
import { Screen } from '../scripts/recording/screen.mjs';
import { read } from './sources.mjs';

const shown = (screen) => screen.rows().map((row) => row.map(({ text }) => text).join(''));

test('a screen follows returns, moves up, erasures and colours, also where a sequence is cut', () => {
  const screen = new Screen();
  screen.write('10 %\r\u001b[K20 %\r\n\u001b[1mtwo\u001b[0m');
  assert.deepEqual(shown(screen), ['20 %', 'two']);
  assert.equal(screen.rows()[1][0].style, 'bold');
  screen.write('\r\u001b[1');
  screen.write('A\u001b[Jnew \u001b[2;31mred');
  assert.deepEqual(screen.rows(), [[{ text: 'new ', style: '' }, { text: 'red', style: 'dim red' }]]);
  assert.throws(() => screen.write('\u001b[5;5H'), /5;5H is not known/);
});

test('a picture has each state of a row from its frame to the next one, and keeps the last', () => {
  const frame = (seconds, ...texts) => ({ seconds, rows: texts.map((text) => [{ text, style: '' }]) });
  const frames = [frame(0, '$ a'), frame(1, '$ a', '<1>'), frame(2, '$ a', '2')];
  assert.deepEqual(states(frames).map(({ row, from, until }) => [row, from, until]), [[0, 0, undefined], [1, 1, 2], [1, 2, undefined]]);
  const svg = picture(frames, { columns: 10, title: 'A & b' });
  assert.ok(svg.includes('<title>A &amp; b</title>') && svg.includes('<desc>$ a\n2</desc>') && svg.includes('&lt;1&gt;'), svg);
});

test('the recording of README is small, closed, and ends with a verdict', () => {
  const svg = read('docs/recording.svg');
  assert.ok(svg.length < 60_000, `${svg.length} bytes`);
  assert.ok(svg.startsWith('<svg ') && svg.endsWith('</svg>\n'));
  const [, said] = svg.match(/<desc>([\s\S]*?)<\/desc>/);
  assert.match(said, /^\$ derny diff main\n/);
  assert.match(said, /main → head/);
  assert.match(said, /hash .*slower$/m);
  assert.ok(read('README.md').includes('docs/recording.svg'));
});
