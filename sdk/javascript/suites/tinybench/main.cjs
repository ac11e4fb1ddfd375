'use strict';
// The program that the engine starts for a script of tinybench: `node main.cjs FILE [WORD...]`.
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { printCases } = require('../../src/case-lines.cjs');
const { Session } = require('../../src/session.cjs');
const { takePipes } = require('../../src/start.cjs');
const { located } = require('../../src/syntax.cjs');
const { explained, loadTypeScript } = require('../../src/typescript.cjs');
const { print, printError } = require('../../src/wire.cjs');
const { guardExits, owing } = require('../../node-core/exits.cjs');
const { linkPackages, withRemedy } = require('../packages.cjs');
const { usePlugAndPlay } = require('../pnp.cjs');
const { Decided, isNew } = require('../said.cjs');
const { Visits } = require('../turns.cjs');
const { answerTinybench } = require('./resolve.cjs');

/** Milliseconds without another run after which a script that has been evaluated has ended. */
const QUIET_MS = 300;
const POLL_MS = 5;

/** Returns true if nothing but a timer of ours and the standard streams keeps the process alive. */
function isIdle() {
  const active = process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe|FSReq|Immediate)/.test(name));
  return active.length <= 1;
}

/** Resolves when nothing is left to do, or after a while: a server that listens keeps the process alive. */
async function drained() {
  for (let ms = 0, idle = 0; ms < QUIET_MS && idle < 2; ms += POLL_MS) {
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
    idle = isIdle() ? idle + 1 : 0;
  }
}

/** Loads the script. Settles when it has ended, which may be after its evaluation: it need not await its runs. */
async function load(file, visits) {
  try {
    const remark = linkPackages(file);
    if (remark && isNew(remark)) visits.log(remark);
    usePlugAndPlay(file);
    answerTinybench({ visits, decided: (names) => visits.decided.add(names) });
    await loadTypeScript(file);
    await import(pathToFileURL(file).href);
  } catch (error) {
    throw located(withRemedy(explained(error)), file);
  }
  for (let runs = -1; runs !== visits.runs || visits.stage;) {
    runs = visits.runs;
    await drained();
  }
  if (visits.runs === 0) throw new Error(`${file} has run no Bench of tinybench`);
}

function main() {
  const pipes = takePipes();
  if (!pipes) {
    process.stderr.write('derny: only the engine can start this program; use `derny run FILE`\n');
    process.exit(2);
  }
  const send = (lines) => pipes.writer.send(lines);
  const file = path.resolve(process.argv[2]);
  process.argv.splice(1, 2, file);
  const log = (message) => send(print('log', { message }));
  const visits = new Visits(() => load(file, visits), log);
  visits.decided = new Decided(log);
  guardExits(send);
  const ended = (code) => new Error(`the script ended its process with status ${code}`);
  const provider = {
    list: () => owing((code) => (code ? printError(ended(code), { fatal: 1 }) : printCases(visits.cases())), () => visits.list()),
    open: (request) => owing((code) => printError(ended(code), { fatal: 1 }), () => visits.open(request).finally(() => visits.decided.tell())),
  };
  new Session(provider, {}, pipes).run().then((code) => process.exit(code));
}

main();
