// Marks the case whose details are shown, wherever it is linked.

let shown = -1;

/** Marks the links to a case, or again those to the shown one after rows were made. */
export function mark(index = shown): void {
  shown = index;
  for (const link of document.querySelectorAll('[data-case][aria-current]')) link.removeAttribute('aria-current');
  for (const link of document.querySelectorAll(`[data-case="${index}"]`)) link.setAttribute('aria-current', 'true');
}
