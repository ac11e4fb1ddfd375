// The history of a case: its times in all stored runs on the same machine.
import { chart, colour, faint, lines, SYMBOLS, type Option } from './charts';
import { commitLink } from './commits';
import { data, nameOf, run, type Case, type PastPoint } from './data';
import { closed, h, table } from './dom';
import { date, interval, signed, time } from './format';
import { figure } from './picture';
import { labelOf, placeOf } from './sides';

const day = (ms: number): string => date(ms).slice(5, 16);

/** Returns the history, or nothing if there are no earlier runs of the case. */
export function past(one: Case, points: PastPoint[]): HTMLElement | null {
  if (points.length === 0) return null;
  const places = [...new Set(points.map(([place]) => place))].sort((a, b) => a - b);
  const variants = [...new Set(points.map(([, variant]) => variant))];
  const name = (variant: number) => run.variants[variant]?.name ?? '';
  const option = (): Option => ({
    grid: { left: 70, right: 20, top: variants.length > 1 ? 34 : 12, bottom: 44 },
    legend: variants.length > 1 ? {} : undefined,
    xAxis: { type: 'category', data: places.map((place) => day(data.past[place]!.started_ms)), name: 'run, by date', nameLocation: 'middle', nameGap: 28 },
    yAxis: { type: 'value', scale: true, boundaryGap: ['8%', '8%'], axisLabel: { formatter: time } },
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesName, data: { point } }: { seriesName: string; data: { point?: PastPoint } }) => point && lines(`${seriesName}: ${time(point[2])}`, point[3] && interval(...point[3], time),
        `run ${data.past[point[0]]!.id}, ${date(data.past[point[0]]!.started_ms)}`, data.past[point[0]]!.commit, point[4] !== null && `the level moved by ${signed(point[4])}`),
    },
    series: variants.flatMap((variant): Option[] => {
      const own = points.filter((point) => point[1] === variant);
      const at = placeOf(name(variant));
      return [{
        name: labelOf(name(variant)), type: 'line', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 8, itemStyle: { color: colour(at) }, lineStyle: { color: colour(at), width: 1.5 },
        data: own.map((point) => ({ value: [places.indexOf(point[0]), point[2]], point })),
        markLine: { symbol: 'none', silent: true, label: { show: false }, lineStyle: { color: faint() }, data: own.filter((point) => point[4] !== null).map((point) => ({ xAxis: places.indexOf(point[0]) })) },
      }, {
        name: labelOf(name(variant)), type: 'custom', silent: true, z: 1, itemStyle: { color: colour(at) }, encode: { x: 0, y: [1, 2] },
        data: own.filter((point) => point[3]).map((point) => [places.indexOf(point[0]), ...point[3]!]),
        renderItem: (_: unknown, api: { value: (index: number) => number; coord: (at: [number, number]) => [number, number] }) => {
          const [lo, hi] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)])];
          return { type: 'line', shape: { x1: lo[0], y1: lo[1], x2: hi[0], y2: hi[1] }, style: { stroke: colour(at), lineWidth: 1.5 } };
        },
      }];
    }),
  });
  const rows = () => points.map(([place, variant, value, ends]) => {
    const { id, started_ms, commit } = data.past[place]!;
    return [h('span', {}, date(started_ms)), id, commit ? commitLink(commit) : '–', name(variant), time(value), ends ? interval(...ends, time) : '–'];
  });
  const moved = points.some((point) => point[4] !== null);
  return figure(`${places.length} runs of this machine${moved ? '; dashed lines mark level changes' : ''}`, nameOf(one.case.id), 'History', chart(`History of ${nameOf(one.case.id)}`, 230, option),
    closed('As a table', () => [table('History', ['date', 'run', 'commit', 'variant', 'time/op', 'interval'], rows())]));
}
