// The parts of ECharts that the page uses, in its colours. Charts are SVG, so that they can be printed.
// Their tooltips are built from elements, never from markup. Each chart has a description, and a
// table nearby contains its numbers.
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { faint, FONT, grid, ground, ink, onPaper, print, redrawn } from './colours';
import { h } from './dom';

export * from './colours';

echarts.use([CustomChart, LineChart, ScatterChart, AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkAreaComponent,
  MarkLineComponent, TooltipComponent, SVGRenderer]);

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Option = any;

interface Shown { element: HTMLElement; option: () => Option; chart?: echarts.ECharts }
let shown: Shown[] = [];

/**
 * Returns a chart that follows the width of its container and the page's colours. It is drawn when
 * it comes near the visible part of the page.
 */
export function chart(label: string, height: number, option: () => Option): HTMLElement {
  const element = h('div', { class: 'chart', role: 'img', 'aria-label': label, style: `height:${height}px` });
  shown = shown.filter((one) => one.element.isConnected || !one.chart);
  shown.push({ element, option });
  near.observe(element);
  return element;
}

/** Width of charts for printing, in CSS pixels. They are then scaled to the paper. */
const PAPER = 720;

function draw(one: Shown): void {
  one.chart ??= echarts.init(one.element, undefined, { renderer: 'svg' });
  one.chart.resize({ width: onPaper() ? PAPER : 'auto' });
  one.chart.setOption(dressed(one.option()), true);
  if (onPaper()) one.element.querySelector('svg')?.setAttribute('viewBox', `0 0 ${PAPER} ${one.chart.getHeight()}`);
}

const near = new IntersectionObserver((entries) => {
  for (const entry of entries.filter(({ isIntersecting }) => isIntersecting)) {
    const one = shown.find(({ element }) => element === entry.target);
    if (one && !one.chart) draw(one);
  }
}, { rootMargin: '400px' });

/** Draws the charts again with their new width or colours. */
const fit = (): void => {
  for (const one of shown) if (one.chart && one.element.isConnected) draw(one);
};
redrawn(fit);

/**
 * Draws all charts for printing, including those not drawn yet, or restores them for the screen.
 */
export function paper(on: boolean): void {
  print(on);
  for (const one of shown) if (on && one.element.isConnected && !one.chart) draw(one);
}

/** Removes the charts in a part of the page that is being replaced. */
export function forget(part: Element): void {
  shown = shown.filter((one) => {
    if (!part.contains(one.element)) return true;
    near.unobserve(one.element);
    one.chart?.dispose();
    return false;
  });
}

let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  fit();
});

/** Adds the options that all charts share. */
function dressed(option: Option): Option {
  const axis = (own: Option) => ({
    ...own,
    nameTextStyle: { color: faint(), ...own.nameTextStyle },
    axisLabel: { color: faint(), hideOverlap: true, ...own.axisLabel },
    axisLine: { lineStyle: { color: faint() }, ...own.axisLine },
    splitLine: { lineStyle: { color: grid() }, ...own.splitLine },
  });
  const each = (axes: Option) => (Array.isArray(axes) ? axes.map(axis) : axis(axes));
  return {
    animation: false,
    aria: { enabled: false },
    textStyle: { fontFamily: FONT, color: ink() },
    ...option,
    legend: option.legend && { textStyle: { color: ink() }, inactiveColor: faint(), type: 'plain', left: 0, top: 0, itemWidth: 16, itemHeight: 10, itemGap: 16, ...option.legend },
    tooltip: { confine: true, backgroundColor: ground(), borderColor: grid(), textStyle: { color: ink(), fontSize: 13 }, ...option.tooltip },
    xAxis: each(option.xAxis),
    yAxis: each(option.yAxis),
  };
}

/** Returns the content of a tooltip, one line per text. */
export const lines = (...texts: (string | null | undefined | false)[]): HTMLElement =>
  h('div', {}, ...texts.filter((text): text is string => Boolean(text)).map((text, at) => h(at === 0 ? 'strong' : 'div', { style: 'display:block' }, text)));
