// A long list, of which only the visible rows are created. All rows have the same height, which the style sheet
// sets, and the window scrolls.
import { h } from '../dom';

/** Number of rows above and below the visible part. */
const AROUND = 8;

export interface List<T> { element: HTMLElement; show: (rows: T[]) => void; focus: (index: number) => void; stop: () => void }

/**
 * Returns a list. `make` creates the content of a row. The first link in it gets the focus: arrow keys, Home, End
 * and Page keys move between rows.
 */
export function list<T>(label: string, make: (row: T) => (Node | string)[]): List<T> {
  let rows: T[] = [];
  const made = new Map<number, HTMLElement>();
  const element = h('ul', { class: 'rows', 'aria-label': label, role: 'list', onkeydown: (event: KeyboardEvent) => key(event) });
  const height = () => Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 52;

  function draw(): void {
    const size = height();
    const top = element.getBoundingClientRect().top;
    const first = Math.max(0, Math.min(rows.length, Math.floor(-top / size) - AROUND));
    const end = Math.max(first, Math.min(rows.length, Math.ceil((innerHeight - top) / size) + AROUND));
    for (const [index, row] of made) {
      if (index >= first && index < end || row.contains(document.activeElement)) continue;
      row.remove();
      made.delete(index);
    }
    let next: Node | null = null;
    for (let index = end - 1; index >= first; index--) {
      const row = made.get(index) ?? h('li', { 'aria-posinset': index + 1, 'aria-setsize': rows.length }, ...make(rows[index]!));
      row.style.top = `${index * size}px`;
      if (!row.parentNode) element.insertBefore(row, next);
      made.set(index, row);
      next = row;
    }
  }

  function show(all: T[]): void {
    rows = all;
    for (const row of made.values()) row.remove();
    made.clear();
    fit();
  }

  function fit(): void {
    element.style.height = `${rows.length * height()}px`;
    draw();
  }

  function focus(index: number): void {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    const size = height();
    const top = element.getBoundingClientRect().top + to * size;
    if (top < 0) scrollBy(0, top - size);
    else if (top + size > innerHeight) scrollBy(0, top + 2 * size - innerHeight);
    draw();
    made.get(to)?.querySelector('a')?.focus({ preventScroll: true });
  }

  function key(event: KeyboardEvent): void {
    const at = [...made].find(([, row]) => row.contains(document.activeElement))?.[0];
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(innerHeight / height()) - 1);
    const to = ({ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: rows.length - 1 } as Record<string, number>)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  }

  addEventListener('scroll', draw, { passive: true });
  addEventListener('resize', fit);
  const stop = () => {
    removeEventListener('scroll', draw);
    removeEventListener('resize', fit);
  };
  return { element, show, focus, stop };
}
