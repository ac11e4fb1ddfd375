'use strict';
// The tasks of a file, as Vitest has collected them, and their names.

/** Vitest's separator between names. */
const SEPARATOR = ' > ';

/** Returns the names of the suites around a task, and its own name, but not that of the file. */
function pathOf(task) {
  const names = [];
  for (let one = task; one && one !== one.file; one = one.suite) names.unshift(one.name);
  return names;
}

const nameOf = (task) => pathOf(task).join(SEPARATOR);

/** Yields all tasks below a suite that are not suites. */
function* leaves(suite) {
  for (const task of suite.tasks) {
    if (task.type === 'suite') yield* leaves(task);
    else yield task;
  }
}

/** Yields a suite and everything below it. */
function* everything(suite) {
  yield suite;
  for (const task of suite.tasks ?? []) yield* everything(task);
}

/**
 * Returns the error that Vitest has found in a file without running it, or undefined. In CI, for example, it
 * refuses `.only`.
 */
function refusal(file) {
  const refused = [...everything(file)].find(({ result }) => result?.state === 'fail');
  const error = refused && (refused.result.errors?.[0] ?? new Error(`Vitest refuses ${nameOf(refused) || file.name}`));
  if (error?.message?.includes('--allowOnly')) {
    const message = 'Vitest does not accept `.only` in CI: remove it, or set `test.allowOnly` in the configuration of Vitest';
    return Object.assign(new Error(message), { stack: error.stack });
  }
  return error;
}

/** Returns why Vitest does not run a task, or undefined. */
function skipOf(task) {
  for (let one = task; one; one = one.suite) {
    if (one.mode === 'todo') return 'todo';
    if (one.mode === 'skip') return 'skipped';
  }
  return undefined;
}

/** Returns fields of the `case` line of a task. `below` are further parts of its name, after the task's own. */
function fieldsOf(task, ...below) {
  const path = [...pathOf(task), ...below];
  return {
    benchmark: path.join(SEPARATOR),
    params: [],
    printed: [task.file.name, ...path].join(SEPARATOR),
    file: task.file.filepath,
    line: task.location?.line,
  };
}

/** Adds an `at` to each case whose name has occurred before: `2` to the second case of a name, and so on. */
function numbered(cases) {
  const counts = new Map();
  return cases.map((one) => {
    const count = (counts.get(one.benchmark) ?? 0) + 1;
    counts.set(one.benchmark, count);
    return count > 1 ? { ...one, at: String(count) } : one;
  });
}

/** Returns the error for a file in which nothing can be measured. */
function withoutCases(file, why) {
  const error = new Error(`${file.name} has no benchmark: ${why}`);
  error.stack = undefined;
  return error;
}

module.exports = { SEPARATOR, fieldsOf, leaves, nameOf, numbered, pathOf, refusal, skipOf, withoutCases };
