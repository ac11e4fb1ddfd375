'use strict';
// The program that the engine starts for a file written for another benchmark library:
// `RUNTIME host.cjs LAYER FILE [ARGUMENT …]`. The file runs unmodified. The layer's `install` replaces the
// functions of the library that would run the benchmarks, and returns a function that runs them if the file
// does not.
const path = require('node:path');
const { linkPackages } = require('./packages.cjs');
const { usePlugAndPlay } = require('./pnp.cjs');
const { guardFiles, quietly } = require('./quiet.cjs');
const { explainedFor, runProgram, walking } = require('./program.cjs');
const { Decided, isNew } = require('./said.cjs');
const { Visits } = require('./turns.cjs');
const { Session } = require('../src/session.cjs');
const { takePipes } = require('../src/start.cjs');
const { stringOf, textOf } = require('../src/values.cjs');
const { print, printError } = require('../src/wire.cjs');

const LAYERS = { 'benchmark-js': './benchmark-js/layer.cjs', mitata: './mitata/layer.cjs', tinybench: './tinybench/layer.cjs' };

/** `Visits` for the file that this process runs as its program. */
class HostedVisits extends Visits {
  /**
   * Called by a layer where the library would measure these tasks. Returns undefined if the engine is not
   * waiting for any of them, and otherwise a promise that resolves when the engine has finished with them.
   */
  meet(tasks) {
    const keyed = this.took(tasks);
    if (this.isListing || !this.waiting || !keyed.has(this.waiting.key)) return undefined;
    return new Promise((leave) => {
      this.stage = { keyed, leave };
      this.waiting.resolve();
    });
  }

  /** Returns the values of a parameter: those that the engine asks for, or else the benchmark's own. */
  valuesOf(name, own) {
    const texts = this.given?.get(name);
    return texts ? texts.map((text) => valueOf(text, own)) : own;
  }

  list(given) {
    this.given = given;
    return this.walked(() => super.list());
  }

  open(asked) {
    this.given = new Map([...asked.params].map(([name, text]) => [name, [text]]));
    return this.walked(() => super.open(asked)).finally(() => this.onOpened());
  }

  async walked(act) {
    this.onWalk(true);
    try {
      return await act();
    } finally {
      this.onWalk(false);
    }
  }
}

/** Converts a text to a value of the same type as a parameter's own values. */
function valueOf(text, own) {
  const same = own.find((value) => textOf(value) === text);
  if (same !== undefined) return same;
  if (typeof own[0] === 'number' && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (typeof own[0] === 'bigint' && /^-?\d+$/.test(text)) return BigInt(text);
  if (typeof own[0] === 'string') return stringOf(text);
  throw new Error(`"${text}" is not a ${typeof own[0]}, as the values of this parameter are`);
}

async function main() {
  const pipes = takePipes();
  if (!pipes) {
    process.stderr.write('derny: only the engine can start this program; use `derny run FILE`\n');
    process.exit(2);
  }
  const [layer, given] = process.argv.slice(2);
  const file = path.resolve(given);
  process.argv.splice(1, 3, file);
  const log = (message) => pipes.writer.send(print('log', { message }));
  const said = new Decided(log, 'Derny chooses how to run and measure');
  let visits;
  let late;
  try {
    // The worktree of a revision contains no packages.
    const remark = linkPackages(file);
    usePlugAndPlay(file);
    visits = new HostedVisits(async () => {
      if (remark && isNew(remark)) log(remark);
      await runProgram(file).catch((error) => { throw explainedFor(error, file); });
      // The benchmarks may be run by another file of the project, which imports this one.
      if (visits.runs === 0) await late();
    }, log);
    guardFiles();
    late = require(LAYERS[layer]).install({ file, visits, decided: (names) => said.add(names), quietly });
  } catch (error) {
    pipes.writer.send(printError(error, { fatal: 1 }));
    process.exit(1);
  }
  const session = new Session(visits, {}, pipes);
  visits.onOpened = () => said.tell();
  visits.onWalk = (is) => {
    walking(is);
    // While the program continues, an empty event loop only means that the program has ended.
    session.endsWithLoop = !is;
  };
  process.exit(await session.run());
}

main();
