'use strict';
// Output of benchmarks. Node makes the pipes of its standard streams non-blocking: a body that prints
// megabytes would fail with EAGAIN, or fill the memory with pending output. A program in a terminal waits; so
// does a benchmark.

/**
 * Makes writes to the standard streams wait until the engine has read them. Nothing is opened before the
 * benchmark does so.
 */
function waitForReaders() {
  for (const name of ['stdout', 'stderr']) {
    const own = Object.getOwnPropertyDescriptor(process, name);
    if (!own?.get || !own.configurable) continue; // Bun and Deno write by themselves.
    Object.defineProperty(process, name, {
      ...own,
      get() {
        const stream = own.get.call(process);
        Object.defineProperty(process, name, own);
        stream?._handle?.setBlocking?.(true);
        return stream;
      },
    });
  }
}

module.exports = { waitForReaders };
