'use strict';
const v8 = require('v8');
const common = require('../common.js');

const bench = common.createBenchmark(main, { text: ['declared'], n: [1] });

// Prints the strings that V8 represents as slices, if they end in main's `text`.
async function main({ text }) {
  bench.start();
  let json = '';
  for await (const part of v8.getHeapSnapshot()) json += part;
  const { snapshot: { meta }, nodes, edges, strings } = JSON.parse(json);
  const [type, name, count] = ['type', 'name', 'edge_count'].map((field) => meta.node_fields.indexOf(field));
  const to = meta.edge_fields.indexOf('to_node');
  const parents = new Set();
  for (let at = 0, edge = 0; at < nodes.length; at += meta.node_fields.length) {
    const end = edge + nodes[at + count] * meta.edge_fields.length;
    for (; edge < end; edge += meta.edge_fields.length) {
      const parent = strings[nodes[edges[edge + to] + name]];
      if (meta.node_types[type][nodes[at + type]] === 'sliced string' && parent.endsWith(text)) parents.add(parent);
    }
  }
  console.log(`slice of ${[...parents].join(', ')}`);
  bench.end(1);
}
