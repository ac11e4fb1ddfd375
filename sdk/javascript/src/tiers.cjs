'use strict';
// Determines the V8 compiler that produced a function's code. Uses natives syntax, which is one of V8's
// debugging aids. A query takes a microsecond.
const { setFlagsFromString } = load('node:v8');

function load(name) {
  try {
    return require(name);
  } catch {
    return {};
  }
}

/** Returns one of V8's native functions, or undefined if this version does not have it. */
function native(text) {
  try {
    return new Function('f', `return %${text}(f)`);
  } catch {
    return undefined;
  }
}

const fresh = (name) => new Function(`return function ${name}(a) { return a + 1; }`)();

/**
 * Returns true if the code of a function can be queried. V8 ends the process when queried about
 * others, such as bound functions.
 */
function hasCode(fn) {
  return typeof fn === 'function' && !Function.prototype.toString.call(fn).includes('[native code]');
}

class Tiers {
  constructor() {
    // Do not turn this off again: it does not change the meaning of valid programs, and V8 may
    // have to parse these functions again.
    setFlagsFromString('--allow-natives-syntax');
    this.status = native('GetOptimizationStatus');
    this.prepare = native('PrepareFunctionForOptimization');
    this.force = native('OptimizeFunctionOnNextCall');
    this.forceBaseline = native('CompileBaseline');
    if (!this.status || !this.prepare || !this.force) throw new Error('this version of V8 does not provide the required natives');
    // The bits for "optimised" and "by TurboFan" appear together, and their positions differ
    // between versions.
    const optimised = this.bitsAfter(this.force);
    this.lower = optimised & -optimised;
    this.best = optimised & ~this.lower;
    if (!this.best) throw new Error('this version of V8 does not report on TurboFan');
  }

  /** @returns {Tiers | undefined} undefined unless the runtime is Node */
  static find() {
    if (globalThis.Bun || globalThis.Deno) return undefined;
    try {
      return new Tiers();
    } catch {
      return undefined;
    }
  }

  /** Returns the status bits that are set once `force` has been applied to a function. */
  bitsAfter(force) {
    if (!force) return 0;
    const probe = fresh('probe');
    this.prepare(probe);
    probe(1);
    const before = this.status(probe);
    force(probe);
    probe(2);
    return this.status(probe) & ~before;
  }

  /**
   * Returns true if the best compiler produced a function's code, or undefined if it cannot be
   * queried.
   */
  isBest(fn) {
    return hasCode(fn) ? (this.status(fn) & this.best) !== 0 : undefined;
  }

  /**
   * Returns the name of a function's tier. Maglev's bit lies between the two of TurboFan.
   * A probe optimised with Maglev is not an alternative, because V8 prints a warning if Maglev is
   * disabled.
   */
  nameOf(fn) {
    if (!hasCode(fn)) return 'native';
    const maglev = this.best === this.lower << 2 ? this.lower << 1 : 0;
    this.baseline ??= this.bitsAfter(this.forceBaseline) & ~(this.lower | this.best | maglev);
    const tiers = [['turbofan', this.best], ['maglev', maglev], ['baseline', this.baseline]];
    const status = this.status(fn);
    return tiers.find(([, bit]) => bit !== 0 && (status & bit) === bit)?.[0] ?? 'interpreter';
  }
}

module.exports = { Tiers };
