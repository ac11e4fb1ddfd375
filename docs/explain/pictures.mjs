// The pictures of methodology.md: `node docs/explain/pictures.mjs` writes them anew. The second one is a simulation with a fixed seed.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BLUE = '#2a6fb0', ORANGE = '#c2570c', GREY = '#6b7280', INK = '#1f2937', PALE = '#e5e7eb';

const text = (x, y, content, { anchor = 'start', size = 13, fill = INK, weight = 400 } = {}) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" font-weight="${weight}">${content}</text>`;
const rect = (x, y, width, height, fill, more = '') => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const line = (x1, y1, x2, y2, stroke = INK, width = 1, more = '') =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}" stroke-width="${width}" ${more}/>`;
const dot = (x, y, fill, r = 3) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r}" fill="${fill}"/>`;

function svg(width, height, title, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" `
    + `font-family="system-ui, sans-serif">\n<title>${title}</title>\n${rect(0, 0, width, height, '#ffffff', 'rx="6"')}\n${parts.join('\n')}\n</svg>\n`;
}

/** A run from the outside in: pairs of processes, their turns, a turn's batches, and what is made of them. */
function levels() {
  const parts = [text(20, 28, 'One pair of processes, alive together', { weight: 600 })];
  const rows = [['old', BLUE, 48], ['new', ORANGE, 82]];
  for (const [name, colour, y] of rows) {
    parts.push(text(20, y + 17, name, { fill: colour, weight: 600 }), line(60, y + 12, 740, y + 12, PALE, 2));
  }
  // Rounds: a turn of each side, in random order.
  const order = [0, 1, 1, 0, 1, 0, 0, 1];
  order.forEach((first, round) => {
    const x = 64 + round * 84;
    for (const side of [0, 1]) {
      const [, colour, y] = rows[side];
      parts.push(rect(x + (side === first ? 0 : 36), y, 32, 24, colour, 'rx="3"'));
    }
    if (round) parts.push(line(x - 8, 44, x - 8, 112, GREY, 1, 'stroke-dasharray="3 3"'));
  });
  parts.push(text(98, 130, 'a round', { anchor: 'middle', fill: GREY }), text(740, 130, 'time →', { anchor: 'end', fill: GREY }));
  parts.push(text(20, 168, 'One turn: about 2 ms of batches, of which the median counts', { weight: 600 }));
  for (let batch = 0; batch < 40; batch++) {
    const height = batch === 23 ? 40 : 14 + ((batch * 7919) % 5);
    parts.push(rect(20 + batch * 18, 222 - height, 14, height, batch === 23 ? GREY : BLUE, 'rx="1"'));
  }
  parts.push(text(20 + 23 * 18 + 20, 190, 'interrupted: the median ignores it', { fill: GREY }));
  const steps = ['batches', 'turn value', 'rounds’ ratios', 'value of the pair', 'interval over pairs'];
  steps.forEach((step, at) => {
    const x = 20 + at * 148;
    parts.push(rect(x, 250, 132, 34, at === 4 ? ORANGE : '#f3f4f6', 'rx="5"'));
    parts.push(text(x + 66, 272, step, { anchor: 'middle', fill: at === 4 ? '#ffffff' : INK }));
    if (at) parts.push(text(x - 8, 272, '→', { anchor: 'middle', fill: GREY }));
  });
  return svg(760, 304, 'Two processes take turns; batches become turn values, ratios, a value of the pair, and an interval', parts);
}

/** Draws between 0 and 1 (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A machine whose speed drifts, measured one side after the other, and in turns. Both sides are the same program. */
function alternation() {
  const parts = [];
  const draw = random(7);
  const machine = (at) => 1 + 0.05 * Math.sin(at * 5.2 + 0.4) + 0.02 * Math.sin(at * 23);
  const noise = () => (draw() + draw() + draw() - 1.5) * 0.012;
  const middle = (values) => values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const panel = (left, title, sideOf) => {
    const values = [[], []];
    const y = (value) => 150 - (value - 1) * 900;
    parts.push(text(left, 28, title, { weight: 600 }), line(left, 220, left + 350, 220, PALE, 2));
    for (let turn = 0; turn < 80; turn++) {
      const value = machine(turn / 80) + noise();
      const side = sideOf(turn);
      values[side].push(value);
      parts.push(dot(left + 4 + turn * 4.3, y(value), side ? ORANGE : BLUE));
    }
    const change = (middle(values[1]) / middle(values[0]) - 1) * 100;
    const said = `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(1)} %`;
    parts.push(text(left, 246, `new against old: ${said}`, { weight: 600, fill: Math.abs(change) > 1 ? '#b91c1c' : '#15803d' }));
  };
  panel(20, 'First old, then new', (turn) => (turn < 40 ? 0 : 1));
  panel(400, 'Turn by turn', (turn) => (turn + (turn >> 1)) % 2);
  parts.push(dot(24, 268, BLUE), text(34, 272, 'old', { fill: BLUE }), dot(74, 268, ORANGE), text(84, 272, 'new: the same program', { fill: ORANGE }));
  parts.push(text(400, 272, 'time per operation of each turn, simulated', { fill: GREY }));
  return svg(770, 288, 'The same program twice on a machine that drifts: a false change if measured in sequence, none in turns', parts);
}

/** Intervals against 0 and the margin. */
function verdicts() {
  const parts = [];
  const x = (percent) => 400 + percent * 60;
  parts.push(rect(x(-1), 34, x(1) - x(-1), 246, '#eef2f7'), text(x(0), 26, 'margin ±1 %', { anchor: 'middle', fill: GREY }));
  parts.push(line(x(0), 34, x(0), 280, GREY, 1));
  const rows = [
    ['slower', 1.4, 2.6, 'all above 0'],
    ['slower by less than 1 %', 0.2, 0.8, 'above 0, within the margin'],
    ['same', -0.5, 0.6, 'all within the margin'],
    ['unclear', -0.7, 2.4, 'both 0 and +2 % are possible'],
    ['faster', -3.1, -1.9, 'all below 0'],
  ];
  rows.forEach(([verdict, low, high, why], at) => {
    const y = 62 + at * 46;
    const colour = verdict.startsWith('slower') ? '#b91c1c' : verdict === 'faster' ? '#15803d' : verdict === 'same' ? BLUE : GREY;
    parts.push(text(20, y + 4, verdict, { weight: 600, fill: colour }), line(x(low), y, x(high), y, colour, 3));
    parts.push(line(x(low), y - 6, x(low), y + 6, colour, 3), line(x(high), y - 6, x(high), y + 6, colour, 3), dot(x((low + high) / 2), y, colour, 5));
    parts.push(text(740, y + 4, why, { anchor: 'end', fill: GREY, size: 12 }));
  });
  for (const percent of [-3, -2, -1, 0, 1, 2]) {
    parts.push(line(x(percent), 280, x(percent), 286, INK), text(x(percent), 302, `${percent < 0 ? '−' : percent > 0 ? '+' : ''}${Math.abs(percent)} %`, { anchor: 'middle', size: 12 }));
  }
  return svg(760, 316, 'Five intervals of a change, and the verdict of each', parts);
}

export const pictures = { 'levels.svg': levels(), 'alternation.svg': alternation(), 'verdicts.svg': verdicts() };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, content] of Object.entries(pictures)) writeFileSync(new URL(name, import.meta.url), content);
}
