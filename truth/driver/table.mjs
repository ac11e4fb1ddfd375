// Rows and tables of results, in Markdown.

/** Ratios outside of these are printed in bold. */
const BOUNDS = { typical: [0.9, 1.1], mean: [0.85, 1.15] };

/** A time with three digits and its unit. */
export function time(ns) {
  if (ns === null || ns === undefined) return '–';
  const [unit, size] = ns < 1e3 ? ['ns', 1] : ns < 1e6 ? ['µs', 1e3] : ['ms', 1e6];
  return `${digits(ns / size)} ${unit}`;
}

const digits = (value) => (value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2));
const orDash = (value, format) => (value === null || value === undefined ? '–' : format(value));
const number = (value) => orDash(value, (v) => (v === 0 ? '0' : v < 0.005 ? '<0.01' : digits(v)));
const percent = (value) => orDash(value, (v) => `${(v * 100).toFixed(1)} %`);

function ratio(kind, a, b) {
  if (!(a > 0 && b > 0)) return '–';
  const [low, high] = BOUNDS[kind];
  const text = (a / b).toFixed(2);
  return a / b < low || a / b > high ? `**${text}**` : text;
}

const line = (cells) => `| ${cells.join(' | ')} |`;

/** A Markdown table: the first column left, the others right. */
function table(heads, rows) {
  return [line(heads), line(heads.map((_, i) => (i ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

/** One result in one line, to be shown as soon as it is there. */
export function row(result) {
  const name = `${result.language} ${result.body}`.padEnd(26);
  if (result.error) return `${name} FAILED: ${result.error.slice(0, 120)} … ${result.error.slice(-300)}`;
  const { plain, derny } = result;
  const times = (kind) => {
    const [before, after] = [plain[`${kind}_ns`], derny[`${kind}_ns`]];
    return `${kind} ${time(before)} → ${time(after)} ×${ratio(kind, after, before)}`;
  };
  const cost = `${derny.processes} processes, ${derny.seconds.toFixed(0)} s`;
  const older = result.before ? `   before ×${ratio('typical', result.before.typical_ns, plain.typical_ns)} ×${ratio('mean', result.before.mean_ns, plain.mean_ns)}` : '';
  return `${name} ${times('typical')}   ${times('mean')}${older}   plain loops ${percent(plain.spread)} apart   ${cost}`;
}

/** Results by their language. (Node 18 and 20 lack Map.groupBy.) */
function byLanguage(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.language, [...(groups.get(result.language) ?? []), result]);
  return groups;
}

/** `1.02`, or `1.58 → 1.02` with an older engine's first. */
function both(kind, plain, derny, before) {
  const of = (measured) => ratio(kind, measured[`${kind}_ns`], plain[`${kind}_ns`]);
  return before ? `${of(before)} → ${of(derny)}` : of(derny);
}

/** A table for each language. */
export function tables(results) {
  const heads = ['body', 'plain typical', 'Derny typical', 'ratio', 'plain mean', 'Derny mean', 'ratio',
    'collections per 1,000 ops: plain, Derny', 'time in collections: plain, Derny', 'faults per op: plain, Derny'];
  return [...byLanguage(results)].map(([language, group]) => {
    const rows = group.map(({ body, plain, derny, before, error }) => {
      if (error) return [body, 'failed', ...heads.slice(2).map(() => '')];
      const thousand = (rate) => orDash(rate, (perOp) => number(perOp * 1000));
      return [
        body,
        time(plain.typical_ns), time(derny.typical_ns), both('typical', plain, derny, before),
        time(plain.mean_ns), time(derny.mean_ns), both('mean', plain, derny, before),
        `${thousand(plain.gc)}, ${thousand(derny.gc)}`, `${percent(plain.gc_share)}, ${percent(derny.gc_share)}`,
        `${number(plain.faults)}, ${number(derny.faults)}`,
      ];
    });
    return `### ${language}\n\n${table(heads, rows)}`;
  }).join('\n\n');
}

/** Ratios of two files of results beside each other, a table for each language. */
export function beforeAndAfter(before, after) {
  const heads = ['body', 'typical before', 'typical after', 'mean before', 'mean after'];
  const earlier = new Map(before.map((result) => [`${result.language} ${result.body}`, result]));
  const cell = (kind, result) => {
    if (!result || result.error) return '–';
    return ratio(kind, result.derny[`${kind}_ns`], result.plain[`${kind}_ns`]);
  };
  // A body that was tried again counts with its last try.
  const later = new Map(after.map((result) => [`${result.language} ${result.body}`, result]));
  return [...byLanguage([...later.values()])].map(([language, group]) => {
    const rows = group.map((result) => {
      const old = earlier.get(`${language} ${result.body}`);
      return [result.body, cell('typical', old), cell('typical', result), cell('mean', old), cell('mean', result)];
    });
    return `### ${language}\n\n${table(heads, rows)}`;
  }).join('\n\n');
}

/** JMH beside Derny. */
export function againstJmh(results) {
  const heads = ['body', 'JMH', 'Derny typical', 'ratio', 'Derny mean', 'ratio'];
  return table(heads, results.map(({ body, jmh_ns: jmh, derny }) => [
    body, time(jmh),
    time(derny.typical_ns), ratio('typical', derny.typical_ns, jmh),
    time(derny.mean_ns), ratio('mean', derny.mean_ns, jmh),
  ]));
}
