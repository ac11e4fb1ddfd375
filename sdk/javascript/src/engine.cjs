'use strict';
// Finds the engine in DERNY_BIN, with this package or on the PATH, in this order.

/** Name of the package that contains the engine for this machine. */
const enginePackage = `@derny/${process.platform}-${process.arch}`;

/** Returns the path of the installed engine, or undefined if only the SDK is installed. */
function carriedEngine() {
  try {
    return require.resolve(`${enginePackage}/derny`);
  } catch {
    return undefined;
  }
}

/** Returns the program to start as the engine. */
const engineProgram = () => process.env.DERNY_BIN || carriedEngine() || 'derny';

module.exports = { carriedEngine, enginePackage, engineProgram };
