'use strict';
// Output of benchmarks. Node makes the pipes of its standard streams non-blocking, so a body that
// prints megabytes would fail with EAGAIN or fill the memory with pending output. Writes therefore
// block, as they do in a terminal.

/**
 * Makes writes to the standard streams wait until the engine has read them. A stream is opened only
 * when the benchmark uses it.
 */
function waitForReaders() {
  for (const name of ['stdout', 'stderr']) {
    const own = Object.getOwnPropertyDescriptor(process, name);
    if (!own?.get || !own.configurable) continue; // Bun and Deno do not need this.
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
