'use strict';
// A benchmark whose body is a server. A batch consists of some seconds of load from a separate
// program (load.cjs) and counts as one iteration. An operation is a request.
const { METRICS, autocannon, choose, h2load, load, nameOf, wrk } = require('./load.cjs');
const { BATCH_LIMIT } = require('./loop.cjs');

/** Options of `bench.http` beyond those of `bench`. Each may be a function of the parameters. */
const HTTP_OPTIONS = ['connections', 'duration', 'path', 'scheme', 'headers', 'benchmarker', 'streams'];
const DEFAULTS = { connections: 100, duration: 1, path: '/', scheme: 'http' };

/**
 * Fields of the `case` line that differ from those of a looped benchmark. With several threads,
 * nothing is pinned, so that the load generator has a processor.
 */
const described = { timing: 'self', again: 1, max_iterations: 1, threads: 2, isolate: 1, ops: undefined, unit: 'request' };

/**
 * The parameter that names the load generator, because times of different generators are not
 * comparable.
 */
const GENERATOR = 'benchmarker';

/** Returns the load generators that can send this load. Only h2load supports HTTP/2. */
const generatorsFor = ({ streams }) => (streams === undefined ? [wrk, autocannon, h2load] : [h2load]);

/**
 * Returns the names of the load generators to list cases for: the given ones, or the default one.
 * Returns [undefined] if the benchmark declares the parameter itself.
 */
function generatorNames({ options }, params, given) {
  if (GENERATOR in options.params) return [undefined];
  return given ?? [nameOf(generatorsFor({ streams: settled(options.streams, params) }), settled(options.benchmarker, params))];
}

const settled = (option, params) => (typeof option === 'function' ? option(params) : option);

class HttpCase {
  /**
   * @param {{port: number, host?: string, scheme: string, close?: () => unknown}} target
   * @param {object} options those of the load
   * @param {() => unknown} teardown
   */
  constructor(target, options, teardown) {
    this.isAsync = true;
    this.target = target;
    this.options = { ...options, ...target, maxConcurrentStreams: options.streams };
    this.generator = choose(generatorsFor(options), options.benchmarker);
    this.teardown = teardown;
  }

  async measure({ batches, withinNs }) {
    const [times, ops] = [[], []];
    let extra;
    const began = process.hrtime.bigint();
    while (times.length < Math.min(batches, BATCH_LIMIT)) {
      const { requests, timeNs, values } = await load(this.generator, this.options);
      times.push(timeNs);
      ops.push(requests);
      // Errors are summed. Latencies are those of the last load.
      extra = extra ? [...values.slice(0, -1), extra.at(-1) + values.at(-1)] : values;
      if (process.hrtime.bigint() - began >= withinNs) break;
    }
    return { count: times.length, times, ops, extra };
  }

  /** Sends one request. Any status is accepted. */
  check() {
    const { scheme, host, port, path } = this.options;
    const client = require(this.options.streams === undefined ? `node:${scheme}` : 'node:http2');
    return new Promise((resolve, reject) => {
      if (client.connect && !client.get) {
        const session = client.connect(`${scheme}://${host}:${port}`, { rejectUnauthorized: false });
        session.on('error', reject);
        session.request({ ':path': path }).on('error', reject).on('end', () => { session.close(); resolve(undefined); }).resume().end();
      } else {
        client.get({ host, port, path, rejectUnauthorized: false, agent: false }, (answer) => answer.resume().on('end', () => resolve(undefined)).on('error', reject)).on('error', reject);
      }
    });
  }

  async close() {
    await this.target.close?.();
    await this.teardown?.();
  }
}

/**
 * Returns the target of the requests, from the result of the benchmark's function. If that is a
 * server, it is listening afterwards.
 */
async function targetOf(given, scheme) {
  if (typeof given === 'number') return { port: given, host: '127.0.0.1', scheme };
  if (typeof given === 'string' || given instanceof URL) {
    const { port, hostname, protocol } = new URL(given);
    const named = protocol.slice(0, -1);
    return { port: Number(port) || (named === 'https' ? 443 : 80), host: hostname, scheme: named };
  }
  if (typeof given?.listen !== 'function') throw new TypeError('bench.http: the function must return a server, a port or a URL');
  if (!given.listening) {
    await new Promise((resolve, reject) => given.once('error', reject).listen(0, '127.0.0.1', resolve));
  }
  const close = () => new Promise((resolve) => {
    given.close(resolve);
    given.closeAllConnections?.();
  });
  return { port: given.address().port, host: '127.0.0.1', scheme, close };
}

/**
 * @param {{fn: Function, options: object}} benchmark
 * @param {object} params one combination of values
 * @param {string} [generator] name of the case's load generator
 */
async function openHttp({ fn, options }, params, generator) {
  const settings = { ...DEFAULTS };
  for (const key of HTTP_OPTIONS) {
    const value = settled(options[key], params);
    if (value !== undefined) settings[key] = value;
  }
  if (generator !== undefined) settings.benchmarker = generator;
  const context = options.setup ? await options.setup(params) : params;
  const target = await targetOf(await fn(context, params), settings.scheme);
  try {
    return new HttpCase(target, settings, options.teardown && (() => options.teardown(context, params)));
  } catch (error) {
    await target.close?.();
    throw error;
  }
}

module.exports = { GENERATOR, HTTP_OPTIONS, METRICS, described, generatorNames, openHttp };
