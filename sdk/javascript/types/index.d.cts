/** A parameter's value. All values of a parameter have the same type. */
export type ParameterValue = number | string | boolean | bigint;

/** Parameters as declared: names and their values, or a single value. */
export type Parameters = { [name: string]: ParameterValue | readonly ParameterValue[] };

/** One combination of parameter values, by name. */
export type Combination<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends readonly (infer V)[] ? V : P[K];
};

/** A value, or a function of the combination that returns one. */
export type PerCase<P extends Parameters, T = number> = T | ((params: Combination<P>) => T);

/** A user-defined metric, which is reported for each turn in addition to the times. */
export interface Metric<P extends Parameters, C> {
  /** The unit. Defaults to `count`. */
  unit?: string;
  /**
   * The kind of the values. Defaults to `level`: a size or a score, which is compared without
   * further calculation. A `total` is divided by the operations of the turn. A `peak` is a maximum:
   * a process has the peak of its largest turn. A `rate` is already a quotient.
   */
  kind?: 'level' | 'total' | 'peak' | 'rate';
  /** The direction in which the metric improves. Defaults to `none`. */
  better?: 'less' | 'more' | 'none';
  /** True if the value depends only on the work done, so that every difference is real. */
  exact?: boolean;
  /**
   * Returns the current value. Called before each turn, where the value is discarded, and after the
   * turn.
   */
  read(context: C, params: Combination<P>): number;
}

/** Options of a benchmark. `C` is the type of the result of `setup`. */
export interface Options<P extends Parameters = {}, C = Combination<P>> {
  /**
   * Parameters and their values. All combinations become cases. The first parameter varies slowest.
   */
  params?: P;
  /** Returns true for the combinations to keep. */
  filter?(params: Combination<P>): boolean;
  /** Called once per case, untimed. The result is the first argument of the body. */
  setup?(params: Combination<P>): C | Promise<C>;
  /** Called when the case is closed. */
  teardown?(context: C, params: Combination<P>): unknown;
  /** Called before each batch of iterations, untimed. */
  beforeBatch?(context: C, params: Combination<P>, iterations: number): unknown;
  /** Called after each batch of iterations, untimed. */
  afterBatch?(context: C, params: Combination<P>, iterations: number): unknown;
  /** Number of operations per iteration. Results are reported per operation. */
  operations?: PerCase<P>;
  /** Name of an operation, which reports use as its unit. */
  unit?: string;
  /** Number of bytes that one iteration processes. */
  bytes?: PerCase<P>;
  /** Number of items that one iteration processes. */
  items?: PerCase<P>;
  /** Flags for the runtime that runs this benchmark, such as `--expose-gc`. */
  args?: string | readonly string[];
  /** Environment variables of the process. */
  env?: { readonly [name: string]: string | number };
  tags?: string | readonly string[];
  /** If true, each case runs in a separate process. */
  isolate?: boolean;
  /**
   * Number of threads that run the body at the same time. The time of a batch is from the common
   * start to the last finish.
   */
  threads?: PerCase<P>;
  /** Maximum number of iterations in a batch. */
  maxIterations?: number;
  metrics?: { readonly [name: string]: Metric<P, C> };
  /** The reason to skip a case. */
  skip?: string | false | undefined | ((params: Combination<P>) => string | false | undefined);
}

/** Sources of the body's first argument other than `setup`. */
export type Inputs<P extends Parameters, C, I> =
  | {
      /**
       * Inputs that the body receives in turn. They keep the compiler from computing the result in
       * advance.
       */
      inputs: readonly I[] | ((params: Combination<P>, context: C) => readonly I[] | Promise<readonly I[]>);
    }
  | {
      /**
       * Makes a new input for each iteration, untimed. Use it for bodies that consume or modify
       * their input.
       */
      fresh(params: Combination<P>, context: C): I;
    };

/** The code to measure. If the result is a promise or another thenable, it is awaited. */
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

/** Options of the load on a server. */
export interface HttpOptions<P extends Parameters = {}, C = Combination<P>>
  extends Pick<Options<P, C>, 'params' | 'filter' | 'setup' | 'teardown' | 'args' | 'env' | 'tags' | 'skip'> {
  /** Number of concurrent connections. Defaults to 100. */
  connections?: PerCase<P>;
  /** Duration of the load per batch in seconds. Defaults to 1. */
  duration?: PerCase<P>;
  /** Path of the requests. Defaults to `/`. */
  path?: PerCase<P, string>;
  scheme?: PerCase<P, 'http' | 'https'>;
  headers?: PerCase<P, { readonly [name: string]: string }>;
  /** The load generator: `wrk`, `autocannon` or `h2load`. Defaults to the first one on the PATH. */
  benchmarker?: PerCase<P, string>;
  /** Uses HTTP/2 (h2load) with this number of concurrent streams per connection. */
  streams?: PerCase<P>;
}

/** A server that is not listening yet, a port, or a URL. */
export type Target = { listen(...args: never[]): unknown } | number | string | URL;

export namespace bench {
  /**
   * Registers a server to be measured under load from a separate program. Reports time per request,
   * latencies and errors.
   */
  function http(name: string, fn: () => Target | Promise<Target>): void;
  function http<const P extends Parameters = {}, C = Combination<P>>(
    name: string,
    options: HttpOptions<P, C>,
    fn: (context: C, params: Combination<P>) => Target | Promise<Target>,
  ): void;
}

/** Prefixes the names of the benchmarks that `fn` registers with `name/`. Groups can be nested. */
export function group(name: string, fn: () => void): void;

/**
 * Keeps a value that a body computes but does not return, so that the compiler cannot remove it.
 */
export function blackHole(value: unknown): void;

/** Flags of `derny dev attach`, in camel case. */
export interface AttachOptions {
  /** Patterns that select cases, as on the command line. */
  patterns?: string | readonly string[];
  /** Values that replace those of the benchmarks' parameters. */
  param?: { readonly [name: string]: ParameterValue | readonly ParameterValue[] };
  /** Suppresses all output. */
  silent?: boolean;
  [flag: string]: unknown;
}

/**
 * Measures the benchmarks that this process has registered, for example in a REPL. Prints the
 * report and returns the result, which is the document of `derny show -f json`. All values are from
 * this one process, and the report says so.
 */
export function attach(options?: AttachOptions): Promise<unknown>;
