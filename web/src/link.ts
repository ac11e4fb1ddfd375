// Links to cases, which keep the filter and the order of the page.
import { addressOf, change, pageWith } from './address';
import { keys } from './data';
import { h } from './dom';

/** Returns a link to the case at an index. */
export function linkTo(index: number, ...text: (Node | string)[]): HTMLAnchorElement {
  const key = keys[index]!;
  return h('a', {
    href: addressOf(key), 'data-case': index, onclick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      change({ case: key }, true);
      document.getElementById('case')?.scrollIntoView();
      document.querySelector<HTMLElement>('#case h2')?.focus({ preventScroll: true });
    },
  }, ...text);
}

/** Copies a text. Without permission for the clipboard, the browser's older command does it. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h('textarea', { class: 'unseen', 'aria-hidden': 'true' }, text);
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** Returns a button that copies the address of the page with this case. */
export function copying(index: number): HTMLElement {
  const button = h('button', {
    type: 'button', class: 'copy', onclick: () => void copy(pageWith(keys[index]!)).then(() => {
      button.textContent = 'copied';
      setTimeout(() => { button.textContent = 'copy link'; }, 1500);
    }),
  }, 'copy link');
  return button;
}
