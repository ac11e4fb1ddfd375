'use strict';
// HTTP load generators: programs that send requests for some seconds and print how many were
// answered. Defines how to start each and how to parse its output. A generator is a separate program
// and the same for all variants. It never runs in the measured runtime.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/**
 * Metrics other than time and number of requests. A value is null if a generator does not report it.
 */
const METRICS = [
  ...['latency_p50', 'latency_p90', 'latency_p99'].map((name) => `${name}:ms/request:level:less`),
  'latency_max:ms/request:peak:less', 'errors:count:total:less',
];

const NOTHING = { p50: null, p90: null, p99: null, max: null };
const UNITS = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Parses a duration such as `1.23ms`. Returns milliseconds, or null if the text is not a duration. */
function milliseconds(text) {
  const [, value, unit] = /^([0-9.]+)(us|ms|s|m)$/.exec(text ?? '') ?? [];
  return value === undefined ? null : Number(value) * UNITS[unit];
}

const urlOf = ({ scheme = 'http', host = '127.0.0.1', port, path: target = '/' }) => `${scheme}://${host}:${port}${target}`;

const headerFlags = (flag, separator, headers = {}) => Object.entries(headers).flatMap(([name, value]) => [flag, `${name}${separator}${value}`]);

// Generators in Node's order of preference. `words` returns the command line; `read` returns
// {requests, seconds, latency, errors}, or undefined if the output shows no answered request.
const wrk = {
  name: 'wrk',
  program: 'wrk',
  // wrk supports whole seconds only.
  words: (options) => ['-d', Math.max(1, Math.ceil(options.duration)), '-c', options.connections, '-t', Math.min(options.connections, os.availableParallelism?.() ?? os.cpus().length),
    '--latency', ...headerFlags('-H', ': ', options.headers), urlOf(options)],
  read(output) {
    const rate = Number(/Requests\/sec:\s+([0-9.]+)/.exec(output)?.[1]);
    const requests = Number(/([0-9]+) requests in /.exec(output)?.[1]);
    if (!(rate > 0 && requests > 0)) return undefined;
    const quantile = (share) => milliseconds(new RegExp(`^\\s+${share}%\\s+(\\S+)$`, 'm').exec(output)?.[1]);
    const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
    const answers = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0;
    const errors = [...sockets, answers].reduce((sum, count) => sum + Number(count), 0);
    const max = milliseconds(/^\s+Latency\s+\S+\s+\S+\s+(\S+)/m.exec(output)?.[1]);
    return { requests, seconds: requests / rate, latency: { p50: quantile(50), p90: quantile(90), p99: quantile(99), max }, errors };
  },
};

const autocannon = {
  name: 'autocannon',
  program: process.platform === 'win32' ? 'autocannon.cmd' : 'autocannon',
  words: (options) => ['-d', options.duration, '-c', options.connections, '-j', '-n', ...headerFlags('-H', '=', options.headers), urlOf(options)],
  read(output) {
    const result = json(output);
    const rate = result?.requests?.average;
    const requests = result?.requests?.total;
    if (!(rate > 0 && requests > 0)) return undefined;
    const { p50 = null, p90 = null, p99 = null, max = null } = result.latency ?? {};
    return { requests, seconds: requests / rate, latency: { p50, p90, p99, max }, errors: (result.errors ?? 0) + (result.timeouts ?? 0) + (result.non2xx ?? 0) };
  },
};

const H2LOAD = [['requests', '-n'], ['clients', '-c'], ['threads', '-t'], ['maxConcurrentStreams', '-m'], ['initialWindowSize', '-w'], ['sessionInitialWindowSize', '-W'],
  ['rate', '-r'], ['ratePeriod', '--rate-period'], ['timeout', '-N'], ['headerTableSize', '--header-table-size'], ['encoderHeaderTableSize', '--encoder-header-table-size']];

const h2load = {
  name: 'h2load',
  program: 'h2load',
  words(options) {
    const flags = H2LOAD.filter(([key]) => typeof options[key] === 'number')
      .flatMap(([key, flag]) => (flag.startsWith('--') ? [`${flag}=${options[key]}`] : [flag, options[key]]));
    // The load is a number of requests or a time. Node passes its duration as the timeout of a
    // connection.
    const bound = typeof options.requests === 'number' ? ['-T', Math.ceil(options.duration)] : ['-D', Math.max(1, Math.ceil(options.duration))];
    return [...flags, ...(typeof options.clients === 'number' ? [] : ['-c', options.connections]), ...bound, ...headerFlags('-H', ': ', options.headers), urlOf(options)];
  },
  read(output) {
    const [, time, rate] = /finished in (\S+), ([0-9.]+) req\/s/.exec(output) ?? [];
    const [, done, succeeded] = /requests: \d+ total, \d+ started, (\d+) done, (\d+) succeeded/.exec(output) ?? [];
    if (!(Number(rate) > 0 && Number(done) > 0)) return undefined;
    const max = milliseconds(/^time for request:\s+\S+\s+(\S+)/m.exec(output)?.[1]);
    return { requests: Number(done), seconds: (milliseconds(time) ?? Number(done) / Number(rate) * 1000) / 1000, latency: { ...NOTHING, max }, errors: Number(done) - Number(succeeded) };
  },
};

/**
 * Returns Node's own test double as a load generator: a client that sends one request after another,
 * to check that a benchmark works. It is written in JavaScript and always runs with the `node` on
 * the PATH.
 * @param {string} script benchmark/_test-double-benchmarker.js of the checkout
 * @param {'http' | 'https' | 'http2'} type
 */
function testDouble(script, type) {
  return {
    name: `test-double-${type}`,
    program: 'node',
    needs: script,
    words: () => [script, type],
    // Existing environment variables take precedence, as in Node.
    env: (options) => ({ duration: String(options.duration), test_url: urlOf(options), ...process.env }),
    read(output, options) {
      const requests = json(output)?.throughput;
      // The test double prints a number of requests, not a rate.
      return requests > 0 ? { requests, seconds: Number(process.env.duration ?? options.duration), latency: NOTHING, errors: 0 } : undefined;
    },
  };
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true if a program is on the PATH. Does not start the program. */
function isOnPath(program, env = process.env) {
  const isProgram = (folder) => {
    try {
      fs.accessSync(path.join(folder, program), fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return (env.PATH ?? '').split(path.delimiter).filter(Boolean).some(isProgram);
}

const isPresent = ({ program, needs }) => isOnPath(program) && (needs === undefined || fs.existsSync(needs));

/**
 * Returns the requested generator, or else the first one available.
 * @throws {Error} if the requested generator is unknown or not installed, or if none is available
 */
function choose(generators, name) {
  const names = generators.map((generator) => generator.name);
  if (!name) {
    const first = generators.find(isPresent);
    if (first) return first;
    throw new Error(`needs an HTTP load generator, and none of ${names.join(', ')} is on the PATH (Debian: apt-get install wrk; npm: autocannon)`);
  }
  const asked = generators.find((generator) => generator.name === name);
  if (!asked) throw new Error(`there is no load generator "${name}": choose one of ${names.join(', ')}`);
  if (!isPresent(asked)) throw new Error(`the load generator "${name}" needs ${isOnPath(asked.program) ? asked.needs : `\`${asked.program}\``}, which is not installed`);
  return asked;
}

/**
 * Returns the name of the generator that `choose` would return, or undefined if none is installed.
 */
const nameOf = (generators, name) => name || generators.find(isPresent)?.name;

/**
 * Sends load to a server with a generator.
 * @param {object} generator
 * @param {{port: number, path?: string, scheme?: string, connections: number, duration: number}}
 * options and those specific to the generator
 * @returns {Promise<{requests: number, timeNs: number, values: (number|null)[]}>} values in the
 * order of METRICS
 */
function load(generator, options) {
  return new Promise((resolve, reject) => {
    const { spawn } = require('node:child_process');
    const child = spawn(generator.program, generator.words(options).map(String), { stdio: ['ignore', 'pipe', 'pipe'], env: generator.env?.(options) ?? process.env });
    let output = '';
    let complaints = '';
    child.stdout.on('data', (text) => { output += text; });
    child.stderr.on('data', (text) => { complaints += text; });
    child.on('error', (error) => reject(Object.assign(new Error(`${generator.name} could not be started: ${error.message}`), { code: 1 })));
    child.on('close', (code, signal) => {
      const said = [complaints, output].map((text) => text.trim()).filter(Boolean).join('\n').slice(0, 2000);
      if (code !== 0) return reject(Object.assign(new Error(`${generator.name} failed (${signal ?? code}): ${said}`), { code: code ?? 1 }));
      const result = generator.read(output, options);
      if (!result) return reject(Object.assign(new Error(`${generator.name} got no response, or printed unexpected output: ${said}`), { code: 1 }));
      const { requests, seconds, latency, errors } = result;
      return resolve({ requests, timeNs: Math.round(seconds * 1e9), values: [latency.p50, latency.p90, latency.p99, latency.max, errors] });
    });
  });
}

module.exports = { METRICS, autocannon, choose, h2load, load, nameOf, testDouble, wrk };
