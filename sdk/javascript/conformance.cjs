'use strict';
// The benchmarks that `derny dev conform -- node conformance.cjs` runs. Their correct results are in
// protocol/IMPLEMENTING.md.
const { bench, group } = require('./src/index.cjs');
const nodeBench = require('./src/node-bench.cjs');

const now = process.hrtime.bigint;
const busy = (us) => {
  const end = now() + BigInt(us * 1000);
  while (now() < end);
};

let calls = 0;
const counted = () => {
  const count = calls;
  calls = 0;
  return count;
};

const failAt = (place) => ({ at }) => {
  if (at === place) throw new RangeError(`thrown in ${place}`);
};

group('conform', () => {
  bench('empty', () => {});

  bench('busy', { params: { us: [20, 200] } }, ({ us }) => busy(us));

  bench('count', { metrics: { calls: { unit: 'count', kind: 'total', better: 'none', exact: true, read: counted } } }, () => {
    calls++;
  });

  bench('setup', { beforeBatch: () => busy(2000) }, () => busy(20));

  bench('params', { params: { size: [1, 2], kind: ['a', 'b'] }, filter: ({ size, kind }) => !(size === 2 && kind === 'b') }, () => {});

  bench('text', { params: { text: 'plain' } }, ({ text }) => text);

  bench('throw', {
    params: { at: ['setup', 'call', 'teardown'] },
    setup: (params) => {
      failAt('setup')(params);
      return params;
    },
    teardown: failAt('teardown'),
  }, failAt('call'));

  bench('print', () => {
    console.log('times 1 2 3');
    console.error('error message=printed fatal=1');
  });

  bench('async', () => Promise.resolve());

  bench('skip', { skip: 'not here' }, () => {});
});

const waiting = (us) => (context) => {
  context.start();
  busy(us);
  context.end(1);
};

// A slash may be part of a name or separate a suite from a benchmark.
nodeBench.suite('conform', () => nodeBench.bench('twin', waiting(20)));
nodeBench.bench('conform/twin', waiting(200));
