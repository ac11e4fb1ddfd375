// The choice of colours.
import { redraw } from './colours';
import { h } from './dom';

const THEMES = ['auto', 'light', 'dark'];

/** Returns the button that chooses between light and dark colours. */
export function theme(): HTMLElement {
  const set = (name: string) => {
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `colours: ${name}`;
    redraw();
  };
  let at = 0;
  const button = h('button', { type: 'button', class: 'theme', onclick: () => { at = (at + 1) % THEMES.length; set(THEMES[at]!); } }, 'colours: auto');
  return button;
}
