// Draws an animated SVG of a terminal. It plays once and keeps the last frame. Readers who prefer reduced
// motion see only that frame.

const ROW = 19;
const COLUMN = 8.43;
const PAD = 16;
const BAR = 30;
/** Seconds that a state must last to be shown. */
const SHORTEST = 0.08;

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Returns the spans of a row as SVG text. `x` keeps columns aligned if a font is wider. */
function spans(row) {
  let column = 0;
  return row.map(({ text, style }) => {
    const at = column;
    column += [...text].length;
    if (text.trim() === '') return '';
    const lead = text.length - text.trimStart().length;
    const kept = text.trim();
    const x = (PAD + (at + lead) * COLUMN).toFixed(1);
    return `<tspan x="${x}" textLength="${([...kept].length * COLUMN).toFixed(1)}"${style ? ` class="${style}"` : ''}>${escaped(kept)}</tspan>`;
  }).join('');
}

/**
 * Returns the states of every row: its content, its start, and its end (absent for the last state).
 * @param {{ seconds: number, rows: import('./screen.mjs').Span[][] }[]} frames in order
 */
export function states(frames) {
  const all = [];
  const open = new Map();
  for (const [at, { seconds, rows }] of frames.entries()) {
    if (at + 1 < frames.length && frames[at + 1].seconds - seconds < SHORTEST / 2) continue;
    for (let row = 0; row < rows.length; row++) {
      const text = spans(rows[row]);
      const before = open.get(row);
      if (before?.text === text) continue;
      if (before) before.until = seconds;
      const state = { row, text, from: seconds };
      open.set(row, state);
      if (text !== '') all.push(state);
    }
  }
  return all;
}

/** Returns the picture. `columns` is the width of the terminal, and `title` the text for screen readers. */
export function picture(frames, { columns, title }) {
  const last = frames.at(-1).rows;
  const rows = Math.max(...frames.map((frame) => frame.rows.length));
  const [width, height] = [Math.ceil(columns * COLUMN + 2 * PAD), BAR + rows * ROW + PAD];
  const lines = states(frames).map(({ row, text, from, until }) => {
    const times = `--a:${from.toFixed(2)}s${until === undefined ? '' : `;--b:${until.toFixed(2)}s`}`;
    return `<text y="${BAR + (row + 1) * ROW}" class="${until === undefined ? 'last' : 'gone'}" style="${times}">${text}</text>`;
  });
  const said = last.map((row) => row.map((span) => span.text).join('')).join('\n').trim();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<desc>${escaped(said)}</desc>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre;visibility:hidden}
.last{animation:show 1ms var(--a) forwards}
.gone{animation:show 1ms var(--a) forwards,hide 1ms var(--b) forwards}
@keyframes show{to{visibility:visible}}
@keyframes hide{to{visibility:hidden}}
@media (prefers-reduced-motion:reduce){.last{animation:none;visibility:visible}.gone{animation:none}}
.bold{font-weight:700}.dim{fill:#8b95a7}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
<circle cx="18" cy="16" r="5" fill="#ff5f57"/><circle cx="36" cy="16" r="5" fill="#febc2e"/><circle cx="54" cy="16" r="5" fill="#28c840"/>
${lines.join('\n')}
</svg>
`;
}
