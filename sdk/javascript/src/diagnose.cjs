'use strict';
// With DERNY_DIAGNOSE=1: tells in `log` lines when V8 moved a function to another tier or threw its optimised code away.
// Off by default, because asking costs 3 µs a turn and natives syntax is a debugging aid.
const v8 = require('node:v8');

/** A native of V8 as a function, or undefined where this version has none of that name. */
function native(text) {
  try {
    return new Function('f', `return %${text}(f)`);
  } catch {
    return undefined;
  }
}

const fresh = (name) => new Function(`return function ${name}(a) { return a + 1; }`)();

/** Status bits that appear when `force` has been applied to a function; their positions differ from version to version. */
function bitsAfter(status, force) {
  const prepare = native('PrepareFunctionForOptimization');
  if (!force || !prepare) return 0;
  const probe = fresh('probe');
  prepare(probe);
  probe(1);
  const before = status(probe);
  force(probe);
  probe(2);
  return status(probe) & ~before;
}

/**
 * The bits by which a tier is known. "Optimised" and "by TurboFan" appear together; Maglev has the bit between them, which is
 * not tried out because V8 complains on standard error where Maglev is switched off.
 */
function calibrate(status) {
  const optimised = bitsAfter(status, native('OptimizeFunctionOnNextCall'));
  const lower = optimised & -optimised;
  const upper = optimised & ~lower;
  const maglev = upper === lower << 2 ? lower << 1 : 0;
  return [
    ['turbofan', upper],
    ['maglev', maglev],
    ['baseline', bitsAfter(status, native('CompileBaseline')) & ~optimised & ~maglev],
  ].filter(([, bits]) => bits !== 0);
}

class Diagnosis {
  constructor() {
    v8.setFlagsFromString('--allow-natives-syntax');
    this.status = native('GetOptimizationStatus');
    this.tiers = calibrate(this.status);
    this.seen = new WeakMap();
  }

  /** @returns {Diagnosis | undefined} only where it was asked for and the runtime can answer */
  static find(env = process.env) {
    if (env.DERNY_DIAGNOSE !== '1' || globalThis.Bun || globalThis.Deno) return undefined;
    try {
      return new Diagnosis();
    } catch {
      return undefined;
    }
  }

  tierOf(fn) {
    const status = this.status(fn);
    return this.tiers.find(([, bits]) => (status & bits) === bits)?.[0] ?? 'interpreter';
  }

  /** What changed since the last time. @param {Array<[string, Function]>} functions @returns {string[]} one line each */
  changes(functions) {
    const order = ['interpreter', 'baseline', 'maglev', 'turbofan'];
    const lines = [];
    for (const [name, fn] of functions) {
      const tier = this.tierOf(fn);
      const before = this.seen.get(fn);
      this.seen.set(fn, tier);
      if (before === tier) continue;
      const fell = before !== undefined && order.indexOf(tier) < order.indexOf(before);
      lines.push(before === undefined ? `${name}: ${tier}` : `${name}: ${fell ? 'deoptimised, ' : ''}${before} → ${tier}`);
    }
    return lines;
  }
}

module.exports = { Diagnosis };
