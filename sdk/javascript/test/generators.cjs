'use strict';
// Stand-ins for load generators. Each sends one request to the URL in its last argument, logs its arguments,
// and prints output like the genuine program's.
const fs = require('node:fs');
const path = require('node:path');
const { folderWith } = require('./driver.cjs');

const SAYS = {
  wrk: `Running 1s test
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.50ms  200.00us  12.00ms   90.00%
    Req/Sec     1.00k    10.00     1.10k    70.00%
  Latency Distribution
     50%    1.25ms
     75%    1.75ms
     90%    2.50ms
     99%    9.00ms
  2000 requests in 1.00s, 1.00MB read
  Socket errors: connect 1, read 0, write 0, timeout 2
  Non-2xx or 3xx responses: 4
Requests/sec:   4000.00
Transfer/sec:      1.00MB
`,
  autocannon: `${JSON.stringify({ requests: { average: 500, total: 1000 }, latency: { p50: 1, p90: 2, p99: 3, max: 4 }, errors: 1, timeouts: 0, non2xx: 0 })}\n`,
  h2load: `finished in 500.00ms, 4000.00 req/s, 1.00MB/s
requests: 2000 total, 2000 started, 2000 done, 1999 succeeded, 1 failed, 0 errored, 0 timeout
                     min         max         mean         sd        +/- sd
time for request:      243us      5.31ms      1.02ms       100us    70.00%
`,
};

/**
 * Returns a folder of generators to put first on the PATH. They append their arguments to `log`, one line per
 * call.
 */
function generators(names = Object.keys(SAYS), says = SAYS) {
  const folder = folderWith();
  const log = path.join(folder, 'log');
  for (const name of names) {
    const program = path.join(folder, name);
    fs.writeFileSync(program, `#!${process.execPath}
const url = process.argv.at(-1);
require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify([${JSON.stringify(name)}, ...process.argv.slice(2)]) + '\\n');
require('node:http').get(url, (answer) => answer.resume().on('end', () => process.stdout.write(${JSON.stringify(says[name])})));
`, { mode: 0o755 });
  }
  return { folder, calls: () => fs.readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) };
}

module.exports = { SAYS, generators };
