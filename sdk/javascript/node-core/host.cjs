// The process that the engine starts: replaces the main module and serves the conversation.
// Connects session, provider and exit handling.
'use strict';

const { guardExits } = require('./exits.cjs');
const { NodeCoreProvider } = require('./provider.cjs');
const { interceptMain } = require('./replacement.cjs');
const { Session } = require('../src/session.cjs');
const { openPipes } = require('../src/wire.cjs');

/** @param {string} hook the file given to --require */
function begin(hook) {
  const pipes = openPipes();
  interceptMain((load) => {
    const provider = new NodeCoreProvider({ load, hook, printResult: (result) => printLastTurn(result, session.counters.valuesAtExit()) });
    const session = new Session(provider, { verbs: ['overhead', 'check'], endsWithLoop: false }, pipes);
    guardExits((lines) => session.writer.send(lines));
    session.run().then((code) => process.exit(code));
  });
}

/** Returns the reply to a turn that is sent while the process exits. */
function printLastTurn({ count, times, ops, extra }, counters) {
  const end = [...counters, ...(extra ?? [])].map((value) => (Number.isFinite(value) ? value : '-'));
  return [`times ${times.slice(0, count).join(' ')}`, `ops ${ops.slice(0, count).join(' ')}`, ['end', ...end].join(' ')].join('\n');
}

module.exports = { begin };
