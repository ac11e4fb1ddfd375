'use strict';
// With DERNY_DIAGNOSE=1, reports in `log` lines when V8 moves a function to another tier or
// discards its optimised code.
const { Tiers } = require('./tiers.cjs');

const ORDER = ['native', 'interpreter', 'baseline', 'maglev', 'turbofan'];

class Diagnosis {
  constructor(tiers) {
    this.tiers = tiers;
    this.seen = new WeakMap();
  }

  /**
   * @returns {Diagnosis | undefined} undefined unless it was requested and the runtime supports it
   */
  static find(env = process.env) {
    const tiers = env.DERNY_DIAGNOSE === '1' ? Tiers.find() : undefined;
    return tiers && new Diagnosis(tiers);
  }

  /** Returns lines about the functions that changed since the last call. */
  changes(functions) {
    const lines = [];
    for (const [name, fn] of functions) {
      const tier = this.tiers.nameOf(fn);
      const before = this.seen.get(fn);
      this.seen.set(fn, tier);
      if (before === tier) continue;
      const fell = before !== undefined && ORDER.indexOf(tier) < ORDER.indexOf(before);
      lines.push(before === undefined ? `${name}: ${tier}` : `${name}: ${fell ? 'deoptimised, ' : ''}${before} → ${tier}`);
    }
    return lines;
  }
}

module.exports = { Diagnosis };
