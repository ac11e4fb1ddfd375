// Saves charts as PNG files, for places that cannot show a page. A picture contains the title and
// description of its chart, in the colours of the page.
import { FONT, faint, ground, ink } from './charts';
import { data, run } from './data';
import { h, s } from './dom';

/** Number of pixels in a picture per pixel of the page. */
const SCALE = 2;
const TOP = 58;

export const slug = (text: string): string => text.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 80);

/** Lets the browser store a file. */
export function store(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const line = (text: string, y: number, size: number, fill: string) => s('text', { x: 12, y, 'font-size': size, 'font-family': FONT, fill }, text);

/** Draws a chart with its title, and stores it. */
async function draw(chart: SVGElement, title: string): Promise<void> {
  const [width, height] = [Number(chart.getAttribute('width')), Number(chart.getAttribute('height'))];
  const inner = chart.cloneNode(true) as SVGElement;
  inner.setAttribute('y', String(TOP));
  inner.removeAttribute('style');
  const whole = s('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height: height + TOP + 8 },
    s('rect', { width: '100%', height: '100%', fill: ground() }), line(title, 24, 16, ink()),
    line([data.subject, run.note, `run ${run.id}`].filter(Boolean).join(' · '), 44, 12, faint()), inner);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(whole))}`;
  await image.decode();
  const canvas = h('canvas', { width: width * SCALE, height: (height + TOP + 8) * SCALE });
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && store(`${run.id}-${slug(title)}.png`, blob), 'image/png');
}

/** Returns a button that stores a chart as PNG. */
export const saving = (title: string, chart: () => SVGElement | null): HTMLElement =>
  h('button', { type: 'button', class: 'png', title: `Save “${title}” as PNG`, 'aria-label': `Save “${title}” as PNG`, onclick: () => { const found = chart(); if (found) void draw(found, title); } }, 'PNG');

/** Returns a figure with its caption, its chart, and the elements below it. */
export function figure(title: string, about: string, caption: string, chart: HTMLElement, ...below: (Node | string | false | null)[]): HTMLElement {
  const save = saving([about, caption].filter(Boolean).join(': '), () => chart.querySelector('svg'));
  return h('figure', {}, h('figcaption', {}, h('span', {}, caption, ' ', title && h('span', { class: 'faint' }, `(${title})`)), save), chart, ...below);
}
