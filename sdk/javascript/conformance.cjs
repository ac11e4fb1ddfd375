'use strict';
// The benchmarks that `derny conform` exercises: each has a known truth (see protocol/IMPLEMENTING.md).
const { bench, group } = require('./src/index.cjs');

const now = process.hrtime.bigint;
const busy = (microseconds) => {
  const end = now() + BigInt(microseconds * 1000);
  while (now() < end);
};

group('conform', () => {
  bench('empty', () => {});

  bench('busy', { params: { us: [20, 200] } }, ({ us }) => busy(us));

  let calls = 0;
  const read = () => {
    const count = calls;
    calls = 0;
    return count;
  };
  bench('count', { metrics: { calls: { unit: 'count', better: 'none', exact: true, read } } }, () => ++calls);

  bench('print', () => {
    console.log('derny 1 this line is on standard output');
    console.error('times 1 2 3');
  });

  bench('throw', () => {
    throw new RangeError('thrown on purpose');
  });

  bench('async', async () => {
    await Promise.resolve();
    return 1;
  });

  bench('setup', { beforeBatch: () => busy(2000) }, () => busy(20));
});
