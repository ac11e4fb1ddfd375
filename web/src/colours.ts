// The colours of the page, which follow the system or the user's choice.

const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#a6408a', '#b07800', '#3a97d3', '#5f6770'];
const DARK = ['#56b4e9', '#f08c3c', '#2ec4a0', '#e08fc4', '#e6c13c', '#8ab4ff', '#aab2bb'];
export const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'arrow'];

let printing = false;
/** Returns true while the page is drawn for printing. */
export const onPaper = (): boolean => printing;
export const dark = (): boolean => {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};
export const colour = (index: number): string => (dark() ? DARK : LIGHT)[index % LIGHT.length]!;
export const ink = (): string => (dark() ? '#e8eaed' : '#1c2127');
export const faint = (): string => (dark() ? '#9aa3ad' : '#5a646f');
export const FONT = 'Roboto, "Helvetica Neue", Helvetica, Arial, sans-serif';
export const grid = (): string => (dark() ? '#2b3138' : '#e3e7eb');
export const ground = (): string => (dark() ? '#1d2127' : '#ffffff');

const drawings: (() => void)[] = [];

/** Adds a function that draws again when the page's colours change. */
export const redrawn = (draw: () => void): void => { drawings.push(draw); };

export const redraw = (): void => drawings.forEach((draw) => draw());

/** Draws everything in the colours of paper, or restores those of the screen. */
export function print(on: boolean): void {
  printing = on;
  redraw();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
