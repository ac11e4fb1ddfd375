// The history of a case: its times at all commits that were measured on the same machine.
import { chart, colour, faint, lines, SYMBOLS, type Option } from './charts';
import { commitLink } from './commits';
import { data, nameOf, run, type Case, type PastPoint } from './data';
import { closed, h, table } from './dom';
import { date, interval, signed, time } from './format';
import { figure } from './picture';
import { labelOf, placeOf } from './sides';

const day = (ms: number): string => date(ms).slice(0, 10);

/** Returns the label of a place: its date and, if there are some, its commit and releases. */
const label = (at: number): string => {
  const { at_ms, commit, releases } = data.past[at]!;
  return [day(at_ms), commit.slice(0, 7), releases.join(' ')].filter(Boolean).join('\n');
};

/** Returns the history, or nothing if the case was measured at one commit only. */
export function past(one: Case, points: PastPoint[]): HTMLElement | null {
  if (points.length === 0) return null;
  const places = [...new Set(points.map(([place]) => place))].sort((a, b) => a - b);
  const variants = [...new Set(points.map(([, variant]) => variant))];
  const name = (variant: number) => run.variants[variant]?.name ?? '';
  const tip = ([place, , id, value, ends, moved]: PastPoint, series: string) => {
    const { at_ms, commit, releases } = data.past[place]!;
    return lines(`${series}: ${time(value)}`, ends && interval(...ends, time), [id && `run ${id}`, day(at_ms)].filter(Boolean).join(', '),
      [commit.slice(0, 12), ...releases].filter(Boolean).join(' '), moved !== null && `the level moved by ${signed(moved)}`);
  };
  const option = (): Option => ({
    grid: { left: 70, right: 20, top: variants.length > 1 ? 34 : 12, bottom: 62 },
    legend: variants.length > 1 ? {} : undefined,
    xAxis: { type: 'category', data: places.map(label), axisLabel: { hideOverlap: true } },
    yAxis: { type: 'value', scale: true, boundaryGap: ['8%', '8%'], axisLabel: { formatter: time } },
    tooltip: {
      trigger: 'item',
      formatter: ({ seriesName, data: { point } }: { seriesName: string; data: { point?: PastPoint } }) => point && tip(point, seriesName),
    },
    series: variants.flatMap((variant): Option[] => {
      const own = points.filter((point) => point[1] === variant);
      const at = placeOf(name(variant));
      const released = places.filter((place) => data.past[place]!.releases.length > 0).map((place) => ({ xAxis: places.indexOf(place), lineStyle: { type: 'dotted' } }));
      const moved = own.filter((point) => point[5] !== null).map((point) => ({ xAxis: places.indexOf(point[0]) }));
      return [{
        name: labelOf(name(variant)), type: 'line', symbol: SYMBOLS[at % SYMBOLS.length], symbolSize: 8, itemStyle: { color: colour(at) }, lineStyle: { color: colour(at), width: 1.5 },
        data: own.map((point) => ({ value: [places.indexOf(point[0]), point[3]], point })),
        markLine: { symbol: 'none', silent: true, label: { show: false }, lineStyle: { color: faint() }, data: [...released, ...moved] },
      }, {
        name: labelOf(name(variant)), type: 'custom', silent: true, z: 1, itemStyle: { color: colour(at) }, encode: { x: 0, y: [1, 2] },
        data: own.filter((point) => point[4]).map((point) => [places.indexOf(point[0]), ...point[4]!]),
        renderItem: (_: unknown, api: { value: (index: number) => number; coord: (at: [number, number]) => [number, number] }) => {
          const [lo, hi] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)])];
          return { type: 'line', shape: { x1: lo[0], y1: lo[1], x2: hi[0], y2: hi[1] }, style: { stroke: colour(at), lineWidth: 1.5 } };
        },
      }];
    }),
  });
  const rows = () => points.map(([place, variant, id, value, ends]) => {
    const { at_ms, commit, releases } = data.past[place]!;
    return [h('span', {}, day(at_ms)), commit ? commitLink(commit) : '–', releases.join(' '), id, name(variant), time(value), ends ? interval(...ends, time) : '–'];
  });
  const moved = points.some((point) => point[5] !== null);
  return figure(`${places.length} commits on this machine${moved ? '; dashed lines mark level changes' : ''}`, nameOf(one.case.id), 'History', chart(`History of ${nameOf(one.case.id)}`, 230, option),
    closed('As a table', () => [table('History', ['date', 'commit', 'release', 'run', 'variant', 'time/op', 'interval'], rows())]));
}
