/** A parameter's value. All values of one parameter have the same type. */
export type ParameterValue = number | string | boolean | bigint;

/** Parameters as they are declared: a name and its values (or its one value). */
export type Parameters = { [name: string]: ParameterValue | readonly ParameterValue[] };

/** One combination: a name and one value. */
export type Combination<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends readonly (infer V)[] ? V : P[K];
};

/** A number, or a function of the combination that gives one. */
export type PerCase<P extends Parameters, T = number> = T | ((params: Combination<P>) => T);

/** A quantity of your own, reported with every turn beside the times. */
export interface Metric<P extends Parameters, C> {
  /** What it is counted in, `count` by default. */
  unit?: string;
  /**
   * What its values are; `level` by default, a size or a score that is compared as it is. A `total` is what all operations of the
   * turn came to and is divided by them. The `peak` of a process is its largest turn. A `rate` is a quotient already.
   */
  kind?: 'level' | 'total' | 'peak' | 'rate';
  /** Which direction is an improvement; `none` by default. */
  better?: 'less' | 'more' | 'none';
  /** Equal work gives equal values, so that any difference is real. */
  exact?: boolean;
  /** Called before each turn (the value is thrown away) and after it: the value of that turn. */
  read(context: C, params: Combination<P>): number;
}

export interface Options<P extends Parameters = {}, C = Combination<P>> {
  /** All combinations become cases; the first parameter is the outermost. */
  params?: P;
  /** Leaves out the combinations for which it returns false. */
  filter?(params: Combination<P>): boolean;
  /** Called once per case, untimed. What it returns is the body's first argument. */
  setup?(params: Combination<P>): C | Promise<C>;
  /** Called when the case is closed. */
  teardown?(context: C, params: Combination<P>): unknown;
  /** Called before every batch of iterations, untimed. */
  beforeBatch?(context: C, params: Combination<P>, iterations: number): unknown;
  /** Called after every batch of iterations, untimed. */
  afterBatch?(context: C, params: Combination<P>, iterations: number): unknown;
  /** How many operations one iteration is; results are given per operation. */
  operations?: PerCase<P>;
  /** What an operation is called. */
  unit?: string;
  /** Bytes that one iteration processes. */
  bytes?: PerCase<P>;
  /** Items that one iteration processes. */
  items?: PerCase<P>;
  /** Flags with which the runtime is started for this benchmark, such as `--expose-gc`. */
  args?: string | readonly string[];
  /** Environment of the process. */
  env?: { readonly [name: string]: string | number };
  tags?: string | readonly string[];
  /** Never share a process with another case. */
  isolate?: boolean;
  /** Run the body in so many threads at once; a batch lasts from the common start to the last finish. */
  threads?: PerCase<P>;
  /** The most iterations that a batch may have. */
  maxIterations?: number;
  metrics?: { readonly [name: string]: Metric<P, C> };
  /** A reason not to run a case. */
  skip?: string | false | undefined | ((params: Combination<P>) => string | false | undefined);
}

/** Where the body's first argument comes from when it is not what `setup` returned. */
export type Inputs<P extends Parameters, C, I> =
  | {
      /** Inputs that the body gets one after another, so that no compiler can compute anything once and for all. */
      inputs: readonly I[] | ((params: Combination<P>, context: C) => readonly I[] | Promise<readonly I[]>);
    }
  | {
      /** Makes a new input for every iteration, untimed: for bodies that consume or change what they are given. */
      fresh(params: Combination<P>, context: C): I;
    };

/** What is measured. A promise (or other thenable) that it returns is awaited; anything else is not. */
export type Body<P extends Parameters, I> = (input: I, params: Combination<P>) => unknown;

/** Registers a benchmark. */
export function bench(name: string, fn: () => unknown): void;
export function bench<const P extends Parameters = {}, C = Combination<P>, I = unknown>(
  name: string,
  options: Options<P, C> & Inputs<P, C, I>,
  fn: Body<P, I>,
): void;
export function bench<const P extends Parameters = {}, C = Combination<P>>(
  name: string,
  options: Options<P, C>,
  fn: Body<P, C>,
): void;

/** How a server is put under load. */
export interface HttpOptions<P extends Parameters = {}, C = Combination<P>>
  extends Pick<Options<P, C>, 'params' | 'filter' | 'setup' | 'teardown' | 'args' | 'env' | 'tags' | 'skip'> {
  /** Connections that are open at once, 100 by default. */
  connections?: PerCase<P>;
  /** Seconds of load per batch, 1 by default. */
  duration?: PerCase<P>;
  /** Path of the requests, `/` by default. */
  path?: PerCase<P, string>;
  scheme?: PerCase<P, 'http' | 'https'>;
  headers?: PerCase<P, { readonly [name: string]: string }>;
  /** `wrk`, `autocannon` or `h2load`; by default the first that is on the PATH. */
  benchmarker?: PerCase<P, string>;
  /** HTTP/2, with so many streams at once in each connection (h2load). */
  streams?: PerCase<P>;
}

/** A server that is not listening yet, a port, or a URL. */
export type Target = { listen(...args: never[]): unknown } | number | string | URL;

export namespace bench {
  /** Registers a server that is measured under load, sent by a separate program: time per request, latencies, errors. */
  function http(name: string, fn: () => Target | Promise<Target>): void;
  function http<const P extends Parameters = {}, C = Combination<P>>(
    name: string,
    options: HttpOptions<P, C>,
    fn: (context: C, params: Combination<P>) => Target | Promise<Target>,
  ): void;
}

/** Registers the benchmarks that `fn` defines under `name/`. Nests. */
export function group(name: string, fn: () => void): void;

/** Keeps the compiler from dropping a value that a body computes but does not return. */
export function blackHole(value: unknown): void;

/** Flags of `derny attach`, in camel case. */
export interface AttachOptions {
  /** Cases to measure, as on the command line. */
  patterns?: string | readonly string[];
  /** Values that replace the benchmarks' own. */
  param?: { readonly [name: string]: ParameterValue | readonly ParameterValue[] };
  /** Print nothing. */
  silent?: boolean;
  [flag: string]: unknown;
}

/**
 * Measures the benchmarks that this process has registered, in a REPL for example; prints the report and gives the result, as
 * `derny show -f json` prints it. Everything happens in this one process, and the report says what that means.
 */
export function attach(options?: AttachOptions): Promise<unknown>;
