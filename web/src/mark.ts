// Marks the case whose details are shown, wherever it is linked.

let shown = -1;

/**
 * Marks the links to a case. Without an argument, marks those to the shown case again,
 * after new rows were created.
 */
export function mark(index = shown): void {
  shown = index;
  for (const link of document.querySelectorAll('[data-case][aria-current]')) link.removeAttribute('aria-current');
  for (const link of document.querySelectorAll(`[data-case="${index}"]`)) link.setAttribute('aria-current', 'true');
}
