// One case: its changes, the distribution of its times, its pairs and processes, its turns in time
// order, and its warnings.
import { chart, colour, faint, ink, lines, SYMBOLS, type Option } from './charts';
import { cases, data, nameOf, run, stateOf, titleOf, whole, type Case, type Figure, type Result, type Trace } from './data';
import { closed, h, section, table } from './dom';
import { changeOf, quantityOf, reachOf, whyOf, wordOf } from './entries';
import { counted, interval, percent, quantity, signed, time } from './format';
import { copying, linkTo } from './link';
import { past } from './past';
import { figure } from './picture';
import { profile } from './profile';
import { changesOf, inPairs, labelOf, placeOf, sidesOf, type Side } from './sides';
import { doubt } from './warnings';

/** Probability that the range of three to five processes contains the median, as the engine reports it. */
const HOLDS: Record<number, string> = { 3: '75 %', 4: '87 %', 5: '94 %' };

/** Returns `41.3 ns (41.1 ns … 41.6 ns)`, or for few processes `41.3 ns (range 40 ns … 42 ns)`. */
function shown({ value, interval: ends, range, unit, metric, per_operation }: Figure): string {
  const write = (number: number) => quantity(number, unit);
  const reach = ends ? ` (${interval(ends.lo, ends.hi, write)})` : range ? ` (range ${interval(range.lo, range.hi, write)})` : '';
  return write(value) + reach + (metric && per_operation ? ' per op' : '');
}

function figures(one: Case): HTMLElement {
  const own = one.variants.filter(({ figures }) => figures.length > 0);
  const key = ({ metric, name }: Figure) => `${metric} ${name}`;
  const labels = new Map(own.flatMap(({ figures }) => figures.map((figure) => [key(figure), figure.label] as const)));
  const cell = ({ figures, time }: Result, wanted: string) => {
    const found = figures.find((figure) => key(figure) === wanted);
    const bound = wanted === 'false time' && time?.floor?.indistinguishable ? '≤ ' : '';
    return found ? bound + shown(found) : '–';
  };
  const others: [string, (result: Result) => string][] = [
    ['course', ({ time }) => time?.steady.class || '–'],
    ['measured', ({ processes, turns, batches }) => [counted(processes, 'process', 'processes'), counted(turns, 'turn'), counted(batches, 'batch', 'batches')].join(', ')],
    ['range', ({ processes }) => (HOLDS[processes] ? `of ${processes} processes, contains the median with a probability of ${HOLDS[processes]}` : '–')],
    ['measured again', ({ rejected }) => rejected.map(([cause, count]) => `${count} × ${cause}`).join(', ') || '–'],
  ];
  return table('Figures', ['quantity', ...own.map(({ variant }) => labelOf(variant))], [
    ...[...labels].map(([wanted, text]) => [text, ...own.map((result) => cell(result, wanted))]),
    ...others.map(([name, text]) => [name, ...own.map(text)]).filter((row) => row.slice(1).some((text) => text !== '–')),
  ], own.length === 1 ? 'figures' : '');
}

const timeAxis = (name: string): Option => ({ type: 'value', name, nameLocation: 'middle', nameGap: 28, scale: true, axisLabel: { formatter: time } });

/** Returns the line and the band of an estimate, for a chart with values on the y axis. */
const estimate = (value: number, ends: { lo: number; hi: number } | null | undefined, own: string) => ({
  markLine: { symbol: 'none', silent: true, data: [{ yAxis: value }], label: { show: false }, lineStyle: { color: own } },
  markArea: ends ? { silent: true, itemStyle: { color: own, opacity: 0.1 }, data: [[{ yAxis: ends.lo }, { yAxis: ends.hi }]] } : undefined,
});

function distribution(one: Case, sides: Side[]): HTMLElement | null {
  const own = sides.filter(({ time: { histogram } }) => histogram);
  if (own.length === 0) return null;
  const option = (): Option => ({
    grid: { left: 12, right: 16, top: own.length > 1 ? 34 : 12, bottom: 44 },
    legend: own.length > 1 ? {} : undefined,
    xAxis: timeAxis('time per operation, batches'),
    yAxis: { type: 'value', show: false },
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesName, data: point }: { seriesName: string; data: [number, number, number, number] }) =>
        lines(seriesName, `${time(point[2])} and more: ${point[3]} batches`),
    },
    series: own.map(({ name, at, time: { histogram, typical } }) => {
      const { lo, hi, counts } = histogram!;
      const width = (hi - lo) / counts.length;
      const total = counts.reduce((sum, count) => sum + count, 0) * width;
      // One point at the left edge of each bin, and one at the end of the last.
      const points = [...counts, counts.at(-1)!].map((count, bin) => [lo + bin * width, count / total, lo + Math.min(bin, counts.length - 1) * width, count]);
      return {
        name, type: 'line', step: 'end', symbol: 'none', data: points, triggerLineEvent: true,
        lineStyle: { color: colour(at), width: 2 }, itemStyle: { color: colour(at) }, areaStyle: { color: colour(at), opacity: 0.2 },
        markLine: { symbol: 'none', silent: true, data: [{ xAxis: typical.value }], label: { show: false }, lineStyle: { color: colour(at) } },
      };
    }),
  });
  const beyond = own.map(({ name, time: { histogram } }) => (histogram!.above > 0 ? `${own.length > 1 ? `${name}: ` : ''}${histogram!.above} ${histogram!.above === 1 ? 'batch is' : 'batches are'} above the plotted range` : '')).filter(Boolean);
  return figure(`dashed: typical time${beyond.map((text) => `; ${text}`).join('')}`, nameOf(one.case.id), 'Distribution of batches',
    chart(`Distribution of batch times of ${nameOf(one.case.id)}`, 230, option));
}

function processes(one: Case, sides: Side[], traces: Trace[]): HTMLElement {
  const blocks = new Map(traces.map(([process, block]) => [process, block]));
  const block = (process: number) => blocks.get(process) ?? process;
  const order = [...new Set(sides.flatMap(({ time: own }) => own.processes.map(({ process }) => block(process))))].sort((a, b) => a - b);
  const most = sides.reduce((longest, { time: own }) => Math.max(longest, own.processes.length), 0);
  const paired = inPairs && sides.length > 1;
  const option = (): Option => ({
    grid: { left: 70, right: 16, top: sides.length > 1 ? 34 : 12, bottom: 44 },
    legend: sides.length > 1 ? {} : undefined,
    xAxis: { type: 'category', data: Array.from({ length: inPairs ? order.length : most }, (_, at) => String(at + 1)), name: paired ? 'pair of processes, in order' : 'process, in order', nameLocation: 'middle', nameGap: 28 },
    yAxis: { type: 'value', scale: true, boundaryGap: ['8%', '8%'], axisLabel: { formatter: time } },
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesName, data: point }: { seriesName: string; data: [number, number, number, string, number] }) =>
        lines(`${seriesName}: ${time(point[1])}`, `process ${point[2]}, ${point[4]} turns`, point[3]),
    },
    series: sides.map(({ name, at, time: summary }) => ({
      name, type: 'scatter', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 9, itemStyle: { color: colour(at) },
      data: summary.processes.map((process, index) => [inPairs ? order.indexOf(block(process.process)) : index, process.time_ns, process.process, process.class, process.turns]),
      ...estimate(summary.typical.value, summary.typical.interval, colour(at)),
    })),
  });
  const rows = () => sides.flatMap(({ name, time: summary }) => summary.processes.map((process) => [String(process.process), name, time(process.time_ns), percent(process.within), String(process.turns), process.class]));
  return figure('line and band: estimate and interval', nameOf(one.case.id), 'Processes against each other',
    chart(`Times of the processes of ${nameOf(one.case.id)}`, 230, option),
    closed('As a table', () => [table('Processes', ['process', 'variant', 'time/op', 'spread of turns', 'turns', 'course'], rows())]));
}

/** Returns the change of every pair, with the estimate and the margin. */
function pairs(one: Case): HTMLElement | null {
  const own = changesOf(one).flatMap((side) => {
    const change = side.changes.find(({ pairs: all }) => all.length > 1);
    return change ? [{ at: side.side, name: data.document.comparison!.sides[side.side]!.name, change }] : [];
  });
  if (own.length === 0) return null;
  const { margin } = data.document.comparison!;
  const most = own.reduce((longest, { change }) => Math.max(longest, change.pairs.length), 0);
  const option = (): Option => ({
    grid: { left: 70, right: 16, top: own.length > 1 ? 34 : 12, bottom: 44 },
    legend: own.length > 1 ? {} : undefined,
    xAxis: { type: 'category', data: Array.from({ length: most }, (_, at) => String(at + 1)), name: 'pair of processes, in order', nameLocation: 'middle', nameGap: 28 },
    yAxis: { type: 'value', scale: true, boundaryGap: ['8%', '8%'], axisLabel: { formatter: (value: number) => signed(value, Math.abs(value) >= 1 ? 0 : 1) } },
    tooltip: { trigger: 'item', formatter: ({ seriesName, data: point }: { seriesName: string; data: [number, number] }) => lines(seriesName, `pair ${point[0] + 1}: ${signed(point[1])}`) },
    series: [
      ...own.map(({ at, name, change }) => ({
        name, type: 'scatter', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 9, itemStyle: { color: colour(at) }, data: change.pairs.map((value, index) => [index, value]),
        ...(change.change ? estimate(change.change.value, change.change.interval, colour(at)) : {}),
      })),
      { name: 'margin', type: 'scatter', silent: true, data: [], markLine: { symbol: 'none', silent: true, data: [{ yAxis: 0 }], label: { show: false }, lineStyle: { color: faint(), type: 'solid' } }, markArea: { silent: true, itemStyle: { color: faint(), opacity: 0.14 }, data: [[{ yAxis: -margin }, { yAxis: margin }]] } },
    ],
  });
  const { base } = { base: data.document.comparison!.sides[0]!.name };
  return figure(`change of ${quantityOf(own[0]!.change)} against ${base}; line and band: estimate and interval; grey: the margin`, nameOf(one.case.id), 'Pairs',
    chart(`Change of every pair of processes of ${nameOf(one.case.id)}`, 230, option));
}

function trace(one: Case, traces: Trace[]): HTMLElement | null {
  const turns = traces.flatMap(([process, , variant, own]) => own.map((turn) => ({ process, variant, at: turn[0], value: turn[1], slowest: turn[2], phase: turn[3] & 3, causes: turn[3] >> 2 })));
  if (turns.length === 0) return null;
  turns.sort((a, b) => a.at - b.at);
  const start = turns[0]!.at;
  const measured = turns.filter(({ phase }) => phase === 1).map(({ value }) => value).sort((a, b) => a - b);
  const most = measured[Math.floor(measured.length * 0.98)] ?? turns[0]!.value;
  let clock = false;
  const words = (causes: number) => data.causes.filter((_, bit) => causes & (1 << bit));
  type Point = (typeof turns)[number];
  const option = (): Option => {
    const point = (turn: Point, at: number) => ({ value: [clock ? (turn.at - start) / 1000 : at + 1, turn.value], turn });
    const all = turns.map(point);
    const of = (keep: (turn: Point) => boolean) => all.filter(({ turn }) => keep(turn));
    const size = Math.max(3, Math.min(8, 2400 / turns.length));
    const series: Option[] = run.variants.flatMap(({ name }, at) => [
      { name: run.variants.length > 1 ? labelOf(name) : 'turn', type: 'scatter', symbol: SYMBOLS[placeOf(name) % SYMBOLS.length], symbolSize: size, itemStyle: { color: colour(placeOf(name)) }, data: of((turn) => turn.variant === at && turn.phase === 1) },
      { name: 'warm-up or rejected', type: 'scatter', symbol: SYMBOLS[placeOf(name) % SYMBOLS.length], symbolSize: size, itemStyle: { color: 'transparent', borderColor: colour(placeOf(name)), borderWidth: 1 }, data: of((turn) => turn.variant === at && turn.phase !== 1) },
    ]);
    data.causes.forEach((cause, bit) => {
      const hit = of((turn) => turn.phase === 1 && Boolean(turn.causes & (1 << bit)));
      if (hit.length > 0) series.push({ name: cause, type: 'scatter', symbol: ['triangle', 'diamond', 'arrow', 'roundRect'][bit], symbolSize: size + 5, itemStyle: { color: 'transparent', borderColor: ink(), borderWidth: 1.4 }, data: hit });
    });
    return {
      grid: { left: 70, right: 16, top: 58, bottom: 84 },
      legend: { textStyle: { color: ink() } },
      xAxis: { type: 'value', name: clock ? 'seconds since the first turn' : 'turn, in time order', nameLocation: 'middle', nameGap: 26, min: clock ? undefined : 1, max: clock ? undefined : turns.length },
      yAxis: { type: 'value', scale: true, max: ({ max }: { max: number }) => Math.min(max, 1.5 * most), axisLabel: { formatter: time } },
      dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }, { type: 'slider', height: 20, bottom: 8, textStyle: { color: faint() }, brushSelect: true }],
      tooltip: {
        trigger: 'item',
        formatter: ({ data: { turn } }: { data: { turn: Point } }) => lines(
          time(turn.value), `slowest batch ${time(turn.slowest)}`, `process ${turn.process}${run.variants.length > 1 ? `, ${run.variants[turn.variant]?.name}` : ''}`,
          `${((turn.at - start) / 1000).toFixed(2)} s after the first turn`, ['warm-up', '', 'rejected'][turn.phase], words(turn.causes).join(', ')),
      },
      series,
    };
  };
  const holder = h('div', {}, chart(`Turns of ${nameOf(one.case.id)} in time order`, 320, option));
  const counts = data.causes.map((cause, bit) => [cause, turns.filter(({ phase, causes }) => phase === 1 && causes & (1 << bit)).length] as const).filter(([, count]) => count > 0);
  const toggle = h('button', {
    type: 'button', 'aria-pressed': 'false', onclick: () => {
      clock = !clock;
      toggle.setAttribute('aria-pressed', String(clock));
      holder.replaceChildren(chart(`Turns of ${nameOf(one.case.id)} by the clock`, 320, option));
    },
  }, 'by the clock');
  const beyond = turns.filter(({ value }) => value > 1.5 * most).length;
  return figure('', nameOf(one.case.id), 'Turns in time order', holder,
    h('p', { class: 'faint' }, toggle, ` ${measured.length} measured turns`, counts.length > 0 ? `: ${counts.map(([cause, count]) => `${count} ${cause}`).join(', ')}` : '',
      beyond > 0 ? `; ${beyond} ${beyond === 1 ? 'turn is' : 'turns are'} above the plotted range` : '',
      data.thinned === null ? '' : data.thinned === 0 ? '; a report of this size omits warm-up' : `; one turn of ${data.thinned} is shown in a report of this size`));
}

/** Returns the changes of a case, with a line for each side and quantity that matters. */
function verdicts(one: Case): HTMLElement | null {
  const compared = data.document.comparison;
  const rows = changesOf(one).flatMap((side) => side.changes
    .filter((change, at) => at === 0 || at === side.decided_by || (change.statistic === 'mean' && side.split) || ['better', 'worse'].includes(change.verdict))
    .map((change) => [
      [compared!.sides.length > 2 ? compared!.sides[side.side]!.name : '', quantityOf(change)].filter(Boolean).join(', '),
      `${quantity(change.base, change.unit)} → ${quantity(change.new, change.unit)}`, h('span', { class: `verdict ${change.verdict}` }, `${changeOf(change)} ${wordOf(change)}`), reachOf(change), h('span', { class: 'faint' }, whyOf(change))]));
  return rows.length > 0 ? table('Changes of the case', [], rows, 'verdicts') : null;
}

/** Returns the part of the page for one case. */
export function detail(index: number): HTMLElement {
  const [one, traces, points] = whole(index);
  const sides = sidesOf(one);
  const warnings = [...data.document.warnings, ...data.document.failures].filter((warning) => warning.case === index);
  const { file, line } = one.case;
  const step = (to: number, text: string) => (cases[to] ? linkTo(to, text) : null);
  return section('case', titleOf({ id: one.case.id, variants: cases[index]!.variants }),
    h('p', { class: 'faint' }, [one.case.id.suite, file && (line ? `${file}:${line}` : file), stateOf(one)].filter(Boolean).join(' · ')),
    h('nav', { class: 'steps', 'aria-label': 'Cases' }, step(index - 1, '← previous case'), step(index + 1, 'next case →'), h('a', { href: '#overview' }, 'all cases'), copying(index)),
    verdicts(one),
    ...warnings.map((warning) => doubt(warning)),
    sides.length > 0 && h('div', { class: 'pair' }, distribution(one, sides), pairs(one), processes(one, sides, traces), past(one, points)),
    sides.length > 0 && trace(one, traces),
    profile(one, index),
    one.variants.length > 0 && figures(one));
}
