// One case: its results, the distribution of its times, its processes side by side, its turns in
// time order, and its warnings.
import { chart, colour, faint, ink, lines, SYMBOLS, type Option } from './charts';
import { cases, data, nameOf, run, stateOf, titleOf, whole, type Case, type Figure, type Result, type Time, type Trace } from './data';
import { closed, h, section, table } from './dom';
import { interval, percent, quantity, time } from './format';
import { doubt } from './warnings';

const timed = (one: Case): [Result, Time, number][] => one.variants.flatMap((result) => (result.time
  ? [[result, result.time, Math.max(0, run.variants.findIndex(({ name }) => name === result.variant))] as [Result, Time, number]] : []));
const label = (result: Result): string => (run.variants.length > 1 ? result.variant : 'time/op');

/**
 * The probability that the range of so few processes contains the median, as the engine reports it.
 */
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
    ['measured', ({ processes, turns, batches }) => `${processes} processes, ${turns} turns, ${batches} batches`],
    ['range', ({ processes }) => (HOLDS[processes] ? `of ${processes} processes, holds the median in ${HOLDS[processes]}` : '–')],
    ['measured again', ({ rejected }) => rejected.map(([cause, count]) => `${count} × ${cause}`).join(', ') || '–'],
  ];
  return table('Figures', ['quantity', ...own.map(label)], [
    ...[...labels].map(([wanted, text]) => [text, ...own.map((result) => cell(result, wanted))]),
    ...others.map(([name, text]) => [name, ...own.map(text)]).filter((row) => row.slice(1).some((text) => text !== '–')),
  ], own.length === 1 ? 'figures' : '');
}

const timeAxis = (name: string): Option => ({ type: 'value', name, nameLocation: 'middle', nameGap: 28, scale: true, axisLabel: { formatter: time } });

function distribution(one: Case): HTMLElement {
  const own = timed(one).filter(([, { histogram }]) => histogram);
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
    series: own.map(([result, { histogram, typical }, at]) => {
      const { lo, hi, counts } = histogram!;
      const width = (hi - lo) / counts.length;
      const total = counts.reduce((sum, count) => sum + count, 0) * width;
      // One point at the left edge of each bin, and one at the end of the last.
      const points = [...counts, counts.at(-1)!].map((count, bin) => [lo + bin * width, count / total, lo + Math.min(bin, counts.length - 1) * width, count]);
      return {
        name: label(result), type: 'line', step: 'end', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 5, data: points,
        lineStyle: { color: colour(at), width: 2 }, itemStyle: { color: colour(at) }, areaStyle: { color: colour(at), opacity: 0.15 },
        markLine: { symbol: 'none', silent: true, data: [{ xAxis: typical.value }], label: { show: false }, lineStyle: { color: colour(at) } },
      };
    }),
  });
  const beyond = own.map(([result, { histogram }]) => (histogram!.above > 0 ? `${own.length > 1 ? `${label(result)}: ` : ''}${histogram!.above} batches are above the plotted range` : '')).filter(Boolean);
  return h('figure', {}, h('figcaption', {}, 'Distribution of batches ', h('span', { class: 'faint' }, `(dashed: typical${beyond.map((text) => `; ${text}`).join('')})`)),
    chart(`Distribution of batch times of ${nameOf(one.case.id)}`, 230, option));
}

function processes(one: Case, traces: Trace[]): HTMLElement {
  const own = timed(one);
  const blocks = new Map(traces.map(([process, block]) => [process, block]));
  const block = (process: number) => blocks.get(process) ?? process;
  const order = [...new Set(own.flatMap(([, summary]) => summary.processes.map(({ process }) => block(process))))].sort((a, b) => a - b);
  const option = (): Option => ({
    grid: { left: 70, right: 16, top: own.length > 1 ? 34 : 12, bottom: 44 },
    legend: own.length > 1 ? {} : undefined,
    xAxis: { type: 'category', data: order.map((_, at) => String(at + 1)), name: own.length > 1 ? 'pair of processes, in order' : 'process, in order', nameLocation: 'middle', nameGap: 28 },
    yAxis: { type: 'value', scale: true, boundaryGap: ['8%', '8%'], axisLabel: { formatter: time } },
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl' }],
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesName, data: point }: { seriesName: string; data: [number, number, number, string, number] }) =>
        lines(`${seriesName}: ${time(point[1])}`, `process ${point[2]}, ${point[4]} turns`, point[3]),
    },
    series: own.map(([result, summary, at]) => ({
      name: label(result), type: 'scatter', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 9, itemStyle: { color: colour(at) },
      data: summary.processes.map((process) => [order.indexOf(block(process.process)), process.time_ns, process.process, process.class, process.turns]),
      markLine: { symbol: 'none', silent: true, data: [{ yAxis: summary.typical.value }], label: { show: false }, lineStyle: { color: colour(at) } },
      markArea: summary.typical.interval ? { silent: true, itemStyle: { color: colour(at), opacity: 0.1 }, data: [[{ yAxis: summary.typical.interval.lo }, { yAxis: summary.typical.interval.hi }]] } : undefined,
    })),
  });
  const rows = () => own.flatMap(([result, summary]) => summary.processes.map((process) => [String(process.process), label(result), time(process.time_ns), percent(process.within), String(process.turns), process.class]));
  return h('figure', {}, h('figcaption', {}, 'Processes against each other ', h('span', { class: 'faint' }, '(line and band: the estimate and its interval)')),
    chart(`Times of the processes of ${nameOf(one.case.id)}`, 230, option),
    closed('As a table', () => [table('Processes', ['process', 'variant', 'time/op', 'spread of turns', 'turns', 'course'], rows())]));
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
      { name: run.variants.length > 1 ? name : 'turn', type: 'scatter', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: size, itemStyle: { color: colour(at) }, data: of((turn) => turn.variant === at && turn.phase === 1) },
      { name: 'warm-up or rejected', type: 'scatter', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: size, itemStyle: { color: 'transparent', borderColor: colour(at), borderWidth: 1 }, data: of((turn) => turn.variant === at && turn.phase !== 1) },
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
  return h('figure', {}, h('figcaption', {}, 'Turns in time order ', toggle), holder,
    h('p', { class: 'faint' }, `${measured.length} measured turns`, counts.length > 0 ? `: ${counts.map(([cause, count]) => `${count} ${cause}`).join(', ')}` : '',
      beyond > 0 ? `; ${beyond} turns are above the plotted range` : '',
      data.thinned === null ? '' : data.thinned === 0 ? '; a report of this size omits warm-up' : `; one turn of ${data.thinned} is shown in a report of this size`));
}

/** Returns the part of the page for one case. */
export function detail(index: number): HTMLElement {
  const [one, traces] = whole(index);
  const warnings = [...data.document.warnings, ...data.document.failures].filter((warning) => warning.case === index);
  const { file, line } = one.case;
  const step = (to: number, text: string) => (cases[to] ? h('a', { href: `#case-${to}` }, text) : null);
  return section('case', titleOf({ id: one.case.id, variants: cases[index]!.variants }),
    h('p', { class: 'faint' }, [one.case.id.suite, file && (line ? `${file}:${line}` : file), stateOf(one)].filter(Boolean).join(' · ')),
    h('nav', { class: 'steps', 'aria-label': 'Cases' }, step(index - 1, '← previous case'), step(index + 1, 'next case →'), h('a', { href: '#overview' }, 'all cases')),
    ...warnings.map((warning) => doubt(warning)),
    timed(one).length > 0 && h('div', { class: 'pair' }, timed(one).some(([, { histogram }]) => histogram) && distribution(one), processes(one, traces)),
    timed(one).length > 0 && trace(one, traces),
    one.variants.length > 0 && figures(one));
}
