// Formats results as rows and tables in Markdown.

/** Ranges of ratios. Ratios outside are printed in bold. */
const BOUNDS = { typical: [0.9, 1.1], mean: [0.85, 1.15], paused: [0.9, 1.1], pausedMean: [0.85, 1.15] };

/** Formats a time with three digits and its unit. */
export function time(ns) {
  if (ns === null || ns === undefined) return '–';
  const [unit, size] = ns < 1e3 ? ['ns', 1] : ns < 1e6 ? ['µs', 1e3] : ['ms', 1e6];
  return `${digits(ns / size)} ${unit}`;
}

const digits = (value) => (value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2));
const orDash = (value, format) => (value === null || value === undefined ? '–' : format(value));
const number = (value) => orDash(value, (v) => (v === 0 ? '0' : v < 0.005 ? '<0.01' : digits(v)));
const percent = (value) => orDash(value, (v) => `${(v * 100).toFixed(1)} %`);

function outside(kind, ratio) {
  const [low, high] = BOUNDS[kind];
  return ratio < low || ratio > high;
}

function ratio(kind, a, b) {
  if (!(a > 0 && b > 0)) return '–';
  const text = (a / b).toFixed(2);
  return outside(kind, a / b) ? `**${text}**` : text;
}

const line = (cells) => `| ${cells.join(' | ')} |`;

/** Returns a Markdown table. The first column is aligned to the left, the others to the right. */
function table(heads, rows) {
  return [line(heads), line(heads.map((_, i) => (i ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

/** Formats one result as one line, to show as soon as it is known. */
export function row({ language, body, error, before, derny: side, steady }) {
  const name = `${language} ${body}`.padEnd(26);
  if (error) return `${name} FAILED: ${error.slice(0, 120)} … ${error.slice(-300)}`;
  const { plain, derny } = side;
  const times = (kind) => {
    const [loop, ours] = [plain[`${kind}_ns`], derny[`${kind}_ns`]];
    return `${kind} ${time(loop)} → ${time(ours)} ×${within(kind, side)}`;
  };
  const paused = side.paused ? `   beside pauses ×${within('paused', side)} ×${within('pausedMean', side)}` : '';
  const older = before ? `   before ×${within('typical', before)} ×${within('mean', before)}` : '';
  const counted = side.loops ? `${side.tried} runs, ${side.loops} loops` : `${steady} of ${side.tried} runs steady`;
  const cost = `${counted}, ${derny.processes} processes, ${derny.seconds.toFixed(0)} s`;
  return `${name} ${times('typical')}   ${times('mean')}${paused}${older}   ${cost}`;
}

/** Groups results by language. Node 18 and 20 lack Map.groupBy. */
function byLanguage(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.language, [...(groups.get(result.language) ?? []), result]);
  return groups;
}

/** Formats the median and the range of the runs' ratios: `1.02 (0.99 … 1.04)`. */
function within(kind, side) {
  const ratio = side?.[kind];
  if (!ratio) return '–';
  const text = outside(kind, ratio.value) ? `**${ratio.value.toFixed(2)}**` : ratio.value.toFixed(2);
  return side.runs > 1 ? `${text} (${ratio.low.toFixed(2)} … ${ratio.high.toFixed(2)})` : text;
}

/** Returns a table for each language. */
export function tables(results) {
  return [...byLanguage(results)].map(([language, group]) => {
    const old = group.some(({ before }) => before);
    const pauses = group.some(({ derny: side }) => side?.paused);
    const [earlier, beside] = [old ? ['before'] : [], pauses ? ['beside a loop that pauses'] : []];
    const heads = ['body', 'plain typical', ...earlier, 'Derny', ...beside, 'plain mean', ...earlier, 'Derny', ...beside,
      'collections per 1,000 ops: plain, Derny', 'time in collections: plain, Derny',
      'faults per op: plain, Derny', 'steady runs'];
    const rows = group.map(({ body, derny: side, before, error, steady }) => {
      if (error) return [body, 'failed', ...heads.slice(2).map(() => '')];
      const { plain, derny } = side;
      const columns = (kind, paused) =>
        [...(old ? [within(kind, before)] : []), within(kind, side), ...(pauses ? [within(paused, side)] : [])];
      const thousand = (rate) => orDash(rate, (perOp) => number(perOp * 1000));
      return [
        body,
        time(plain.typical_ns), ...columns('typical', 'paused'), time(plain.mean_ns), ...columns('mean', 'pausedMean'),
        `${thousand(plain.gc)}, ${thousand(derny.gc)}`, `${percent(plain.gc_share)}, ${percent(derny.gc_share)}`,
        `${number(plain.faults)}, ${number(derny.faults)}`, `${steady} of ${side.tried}`,
      ];
    });
    return `### ${language}\n\n${table(heads, rows)}`;
  }).join('\n\n');
}

/** Returns a table that compares JMH with Derny. */
export function againstJmh(results) {
  const heads = ['body', 'JMH', 'Derny typical', 'ratio', 'Derny mean', 'ratio'];
  return table(heads, results.map(({ body, jmh_ns: jmh, derny }) => [
    body, time(jmh),
    time(derny.typical_ns), ratio('typical', derny.typical_ns, jmh),
    time(derny.mean_ns), ratio('mean', derny.mean_ns, jmh),
  ]));
}
