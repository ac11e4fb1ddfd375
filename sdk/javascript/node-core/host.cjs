// The process that the engine started: takes the place of the main module and talks. Wires session, provider and exits.
'use strict';

const { guardExits } = require('./exits.cjs');
const { NodeCoreProvider } = require('./provider.cjs');
const { interceptMain } = require('./replacement.cjs');
const { Session } = require('../src/session.cjs');
const { Reader, Writer, openPipes } = require('../src/wire.cjs');

/** @param {string} hook the file that was given to --require */
function begin(hook) {
  const pipes = takePipes();
  interceptMain((load) => {
    const provider = new NodeCoreProvider({ load, hook, printResult: (result) => printLastTurn(result, session.counters.valuesAtExit()) });
    const session = new Session(provider, { verbs: ['check'] }, pipes);
    guardExits((lines) => session.writer.send(lines));
    session.run().then((code) => process.exit(code));
  });
}

/**
 * Some files are run under Node's permission model, which allows no path to be opened for writing, this process's own
 * descriptors included; the descriptors themselves it lets alone (and Node has made them close-on-exec).
 */
function takePipes() {
  const { DERNY_COMMANDS: commands, DERNY_REPLIES: replies } = process.env;
  if (!process.permission) return openPipes();
  const [from, to] = [commands, replies].map((name) => Number(/^\/dev\/fd\/([0-9]+)$/.exec(name)?.[1] ?? NaN));
  if (!(from >= 0 && to >= 0)) return openPipes();
  delete process.env.DERNY_COMMANDS;
  delete process.env.DERNY_REPLIES;
  return { reader: new Reader(from), writer: new Writer(to) };
}

/** The reply of a turn that is given while the process exits. */
function printLastTurn({ count, times, ops, extra }, counters) {
  const end = [...counters, ...(extra ?? [])].map((value) => (Number.isFinite(value) ? value : '-'));
  return [`times ${times.slice(0, count).join(' ')}`, `ops ${ops.slice(0, count).join(' ')}`, ['end', ...end].join(' ')].join('\n');
}

module.exports = { begin };
