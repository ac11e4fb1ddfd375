// Creates elements. Text is inserted as text nodes and attributes. Nothing on this page is ever
// parsed as markup.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** Creates SVG elements in the same way. */
export function s(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(typeof child === 'number' ? String(child) : child);
}

/** Returns a name that can be wrapped after each `/`. */
export const breakable = (name: string): (Node | string)[] => name.split(/(?<=\/)/).flatMap((part, at): (Node | string)[] => (at > 0 ? [h('wbr'), part] : [part]));

/**
 * Creates a table. The first cell of a row is its header. It is empty in a continuation row. A
 * table of two columns needs no head.
 */
export function table(caption: string, head: string[], rows: Child[][], kind = ''): HTMLElement {
  const cells = (row: Child[]) => row.map((cell, at) => (at === 0 && cell !== '' ? h('th', { scope: 'row' }, cell) : h('td', {}, cell)));
  return h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': caption }, h('table', { class: kind },
    h('caption', { class: 'unseen' }, caption),
    head.length > 0 && h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...cells(row))))));
}

/** Number of entries of a long table that are created at once. */
export const AT_ONCE = 1000;

/**
 * Creates a table whose entries have one or more rows. It shows the first entries, and more on
 * demand.
 */
export function long(caption: string, head: string[], entries: number, rows: (entry: number) => Child[][]): HTMLElement {
  const part = (from: number) => Array.from({ length: Math.min(AT_ONCE, entries - from) }, (_, at) => rows(from + at)).flat();
  const whole = table(caption, head, part(0));
  if (entries <= AT_ONCE) return whole;
  let made = AT_ONCE;
  const words = () => `show ${Math.min(AT_ONCE, entries - made)} more of ${entries}`;
  const more = h('button', { type: 'button', onclick: () => {
    whole.querySelector('tbody')!.append(...table('', [], part(made)).querySelectorAll('tbody tr'));
    made += AT_ONCE;
    if (made < entries) more.textContent = words();
    else more.remove();
  } }, words());
  return h('div', {}, whole, more);
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title`, tabindex: -1 }, title), ...children);
}

/**
 * Creates a part that is closed at first and created when it is opened, so that large tables cost
 * nothing until then.
 */
export function closed(summary: string, make: () => Child[]): HTMLDetailsElement {
  const part = h('details', { ontoggle: () => { if (part.open && part.childElementCount === 1) part.append(...make().filter((child): child is Node | string => child instanceof Node || typeof child === 'string')); } }, h('summary', {}, summary));
  return part;
}
