// Turns Node core's `createBenchmark(main, configs, options)` into configurations by the rules of
// benchmark/common.js (order of keys, types, test mode, groups and filter). Starts no processes and
// measures nothing.
'use strict';

const TEST_DURATION_S = 0.05;
const TEST_MEMORY = 8; // The minimum that Argon2 accepts.

/**
 * Returns all configurations of a benchmark in Node's order: the first declared key varies slowest.
 * The keys of a configuration are in reverse order of declaration, as Node prints them.
 * @param {object} configs key → value or values; with `options.byGroups`, group → such an object
 * @param {object} [options] the third argument of createBenchmark: `byGroups`, `combinationFilter`,
 * `test`
 * @param {{given?: Map<string, string[]>, test?: boolean, groups?: string}} [request] `given`
 * replaces the values of keys; `groups` is a comma-separated list of groups
 * @returns {{configurations: object[], extra: Map<string, string>}} `extra`: the last value of each
 * given key that no benchmark declares; Node passes these to the measuring process unchanged
 * @throws {TypeError} if values have mixed or unsupported types, or the filter does not return a
 * boolean
 */
function formConfigurations(configs, options = {}, { given = new Map(), test = false, groups } = {}) {
  const sets = options.byGroups ? groupSets(configs, groups) : [configs];
  const declared = new Set(sets.flatMap(Object.keys));
  const extra = new Map();
  for (const [key, texts] of given) if (!declared.has(key)) extra.set(key, texts[texts.length - 1]);
  const configurations = sets.flatMap((set) => product(valuesOf(set, options, given, test), options.combinationFilter));
  return { configurations, extra };
}

/**
 * Returns the configuration that a measuring process should run. A key without a given value has
 * its first value.
 * @param {object} configs as for formConfigurations
 * @param {object} options as for formConfigurations
 * @param {Map<string, string>} params key → value as text
 * @returns {{configuration: object|undefined, extra: Map<string, string>}} undefined if the filter
 * rejects it
 * @throws {TypeError} as formConfigurations
 */
function openConfiguration(configs, options, params) {
  const given = new Map(Array.from(params, ([key, text]) => [key, [argument(key, text)]]));
  const request = { given, groups: options?.byGroups ? params.get('group') : undefined };
  const { configurations, extra } = formConfigurations(configs, options, request);
  return { configuration: configurations[0], extra };
}

/**
 * Returns the text as a Node worker gets it: the part of an argument `key=value` after the equals
 * sign. From 13 characters on, V8 represents it as a slice of a longer string. A body that reads a
 * slice character by character takes up to a third longer than with a copy.
 */
function argument(key, text) {
  return `${key}=${text}`.slice(key.length + 1);
}

/**
 * Returns one set of parameters per group. The group's name is declared last, and therefore printed
 * first.
 */
function groupSets(configs, wanted) {
  const names = wanted === undefined ? Object.keys(configs) : wanted.split(',');
  return names.map((name) => {
    const set = [configs[name]].flat()[0];
    if (set === undefined) {
      throw new TypeError(`there is no group "${name}": the groups are ${Object.keys(configs).join(', ')}`);
    }
    return { ...set, group: name };
  });
}

/**
 * Returns values by key: the given ones, converted to the declared types, or else those of test
 * mode, or else the declared ones.
 */
function valuesOf(set, options, given, test) {
  const values = {};
  for (const [key, declared] of Object.entries(set)) values[key] = [declared].flat();
  const types = Object.fromEntries(Object.entries(values).map(([key, list]) => [key, typeof list[0]]));
  if (test) {
    for (const key of Object.keys(values)) values[key] = [smallest(key, values[key][0])];
    for (const [key, value] of Object.entries(options.test ?? {})) values[key] = [value].flat();
  }
  for (const [key, texts] of given) {
    if (key in types && key !== 'group') values[key] = texts.map((text) => typed(types[key], text));
  }
  return values;
}

/**
 * Returns the value for test mode if the benchmark does not name one: numbers are as small as
 * possible.
 */
function smallest(key, value) {
  if (typeof value !== 'number') return value;
  if (key === 'dur' || key === 'duration') return TEST_DURATION_S;
  if (key === 'memory') return TEST_MEMORY;
  return Math.min(value, 1);
}

function typed(type, text) {
  if (type === 'number') return +text;
  if (type === 'boolean') return text === 'true';
  return text;
}

/** Returns all combinations, depth first. Each level puts its key before the earlier ones. */
function product(values, filter) {
  const keys = Object.keys(values);
  const found = [];
  const descend = (depth, chosen) => {
    if (depth === keys.length) {
      if (keys.length === 0 || allows(filter, chosen)) found.push(chosen);
      return;
    }
    const key = keys[depth];
    for (const value of values[key]) {
      checkValue(key, value, values[key][0]);
      descend(depth + 1, { [key]: value, ...chosen });
    }
  };
  descend(0, {});
  return found;
}

function checkValue(key, value, first) {
  if (!['number', 'string', 'boolean'].includes(typeof value)) {
    throw new TypeError(`configuration "${key}" had type ${typeof value}`);
  }
  if (typeof value !== typeof first) throw new TypeError(`configuration "${key}" has mixed types`);
}

function allows(filter, chosen) {
  if (typeof filter !== 'function') return true;
  const allowed = filter({ ...chosen });
  if (typeof allowed !== 'boolean') throw new TypeError('combinationFilter must return true or false');
  return allowed;
}

module.exports = { formConfigurations, openConfiguration };
