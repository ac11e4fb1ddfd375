// grow COPIES: copies every case of an event stream of `derny run -f ndjson` under new names, which gives a
// large report without a long measurement. Reads standard input and writes standard output.
import { createInterface } from 'node:readline';

const copies = Number(process.argv[2]);
const visitsOf = [];
let cases = 0;
const write = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const SHIFT = 1_000_000;

for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  if (event.event === 'run-started') {
    cases = event.cases.length;
    const grown = Array.from({ length: copies }, (_, copy) => event.cases.map((one) => ({
      ...one, id: { ...one.id, params: [...one.id.params, ['copy', String(copy)]] },
    }))).flat();
    write({ ...event, cases: grown });
  } else if (event.event === 'visit-started') {
    visitsOf.push(event.visit);
    for (let copy = 0; copy < copies; copy++) write({ ...event, visit: event.visit + copy * SHIFT, case: event.case + copy * cases });
  } else if (event.event === 'turn' || event.event === 'visit-ended') {
    for (let copy = 0; copy < copies; copy++) write({ ...event, visit: event.visit + copy * SHIFT });
  } else if (event.event === 'case-ended') {
    for (let copy = 0; copy < copies; copy++) write({ ...event, case: event.case + copy * cases });
  } else {
    write(event);
  }
}
