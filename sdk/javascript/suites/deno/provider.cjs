'use strict';
// The provider (../../src/session.cjs) of benchmarks that a file registered with Deno.bench.
const { LoopCase } = require('../../src/loop.cjs');
const { SectionedCase } = require('./sectioned.cjs');
const { registered } = require('./register.cjs');

class DenoProvider {
  /**
   * @param {string} file absolute path
   * @param {import('../said.cjs').Decided} said collects the options that have no effect
   */
  constructor(file, said) {
    Object.assign(this, { file, said });
  }

  list() {
    return registered.map((benchmark) => {
      const same = sameAs(benchmark);
      return {
        benchmark: nameOf(benchmark),
        params: [],
        group: benchmark.group,
        printed: benchmark.group === undefined ? undefined : benchmark.name,
        at: same.length > 1 ? same.indexOf(benchmark) + 1 : undefined,
        tags: benchmark.baseline ? ['baseline'] : undefined,
        skip: skipOf(benchmark),
        file: benchmark.place?.file ?? this.file,
        line: benchmark.place?.line,
      };
    });
  }

  open({ benchmark: name, at }) {
    const same = registered.filter((candidate) => nameOf(candidate) === name);
    if (same.length === 0) throw new Error(`there is no benchmark "${name}" in ${this.file}`);
    if (same.length > 1 && at === undefined) throw new Error(`${same.length} benchmarks have the name "${name}": the field \`at\` must select one`);
    const benchmark = same[Number(at ?? 1) - 1];
    if (!benchmark) throw new Error(`there is no benchmark "${name}" at ${at} in ${this.file}`);
    const skip = skipOf(benchmark);
    if (skip) return { skip };
    this.said.add(registered.flatMap(({ decided }) => decided));
    this.said.tell();
    const { fn, name: own } = benchmark;
    if (fn.length === 0) return new LoopCase({ body: fn, shape: 'none', params: {} });
    return new SectionedCase(fn, { name: own, origin: `file://${this.file}` });
  }
}

const nameOf = ({ name, group }) => (group === undefined ? name : `${group}/${name}`);
const sameAs = (benchmark) => registered.filter((other) => nameOf(other) === nameOf(benchmark));

/** Returns why Deno would not run a benchmark, or undefined. */
function skipOf({ ignore, only }) {
  if (ignore) return 'ignored in the file';
  if (!only && registered.some((other) => other.only)) return 'other benchmarks in the file are marked `only`';
  return undefined;
}

module.exports = { DenoProvider };
