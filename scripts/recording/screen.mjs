// The screen of a terminal, as far as Derny uses one: lines, carriage returns, moves up, and colours (SGR).
// Any other control sequence is an error, so that a picture never differs from a real terminal.

/**
 * @typedef {{ text: string, style: string }} Span part of a row in one style: '' or words such as `bold red`
 */

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

export class Screen {
  constructor() {
    this.lines = [[]];
    this.row = 0;
    this.column = 0;
    this.styles = new Set();
    this.rest = '';
  }

  /** Writes text. A control sequence may continue in the next call. */
  write(text) {
    let rest = this.rest + text;
    this.rest = '';
    while (rest !== '') {
      if (rest[0] === '\u001b') {
        const sequence = rest.match(/^\u001b\[([0-9;]*)([A-Za-z])/);
        if (!sequence) {
          if (!/^\u001b(\[[0-9;]*)?$/.test(rest)) throw new Error(`a control sequence of no terminal: ${JSON.stringify(rest.slice(0, 8))}`);
          this.rest = rest;
          return;
        }
        this.control(sequence[1], sequence[2]);
        rest = rest.slice(sequence[0].length);
        continue;
      }
      const [letter] = rest;
      this.put(letter);
      rest = rest.slice(letter.length);
    }
  }

  put(letter) {
    if (letter === '\r') this.column = 0;
    else if (letter === '\n') {
      this.row += 1;
      this.lines[this.row] ??= [];
    } else this.lines[this.row][this.column++] = { letter, style: [...this.styles].sort().join(' ') };
  }

  control(numbers, verb) {
    if (verb === 'A') {
      this.row = Math.max(0, this.row - (Number(numbers) || 1));
      return;
    }
    if (verb === 'K') {
      this.lines[this.row].length = numbers === '2' ? 0 : this.column;
      return;
    }
    if (verb === 'J') {
      this.lines.length = this.row + 1;
      this.lines[this.row].length = this.column;
      return;
    }
    if (verb !== 'm') throw new Error(`the control sequence ${numbers}${verb} is not known`);
    for (const number of numbers.split(';').map(Number)) {
      if (number === 0) this.styles.clear();
      else if (number === 1) this.styles.add('bold');
      else if (number === 2) this.styles.add('dim');
      else if (number >= 30 && number < 38) this.styles.add(COLOURS[number - 30]);
      else throw new Error(`the style ${number} is not known`);
    }
  }

  /** Returns the rows, each as spans of one style. @returns {Span[][]} */
  rows() {
    return this.lines.map((line) => {
      const spans = [];
      for (const { letter, style } of Array.from(line, (cell) => cell ?? { letter: ' ', style: '' })) {
        if (spans.at(-1)?.style === style) spans.at(-1).text += letter;
        else spans.push({ text: letter, style });
      }
      while (spans.length > 0 && spans.at(-1).text.trim() === '') spans.pop();
      return spans;
    });
  }
}
