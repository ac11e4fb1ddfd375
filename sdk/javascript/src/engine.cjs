'use strict';
// Location of the engine: DERNY_BIN, else the one that was installed with this package, else the PATH.

/** The name of the package that has the engine for this machine. */
const enginePackage = `@derny/${process.platform}-${process.arch}`;

/** The engine that was installed with this package; undefined if only the SDK was. */
function carriedEngine() {
  try {
    return require.resolve(`${enginePackage}/derny`);
  } catch {
    return undefined;
  }
}

/** The program to start as the engine. */
const engineProgram = () => process.env.DERNY_BIN || carriedEngine() || 'derny';

module.exports = { carriedEngine, enginePackage, engineProgram };
