// Calls the tools of `derny mcp` with the official client for JavaScript, which stands in the folder that the
// first argument names. Further arguments: the engine, and a project with the suite `first`.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , packages, command, cwd] = process.argv;
const sdk = createRequire(path.join(packages, 'x.js'));
const load = (name) => import(pathToFileURL(sdk.resolve(`@modelcontextprotocol/sdk/client/${name}.js`)).href);
const { Client } = await load('index');
const { StdioClientTransport } = await load('stdio');

const counts = { passed: 0, failed: 0 };
function check(what, holds) {
  counts[holds ? 'passed' : 'failed'] += 1;
  console.log(holds ? 'passed' : 'FAILED', what);
}

const client = new Client({ name: 'tests', version: '1' });
await client.connect(new StdioClientTransport({ command, args: ['mcp'], cwd }));
check('the server says who it is', client.getServerVersion().name === 'derny');
const { tools } = await client.listTools();
for (const name of ['diff', 'run', 'judge', 'list', 'show', 'doctor', 'explain']) {
  check(`there is a tool ${name}`, tools.some((tool) => tool.name === name && tool.inputSchema.type === 'object'));
}
const call = (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
const listed = await call('list');
const [{ case: name }] = listed.structuredContent.cases;
const seen = [];
const sides = ['a', 'b'].map((side) => ({ name: side, revision: '.' }));
const ran = await call('run', { patterns: [name], sides, quick: true }, { onprogress: (told) => seen.push(told) });
check('a comparison has a verdict', ran.structuredContent.cases[0].case === name && ran.structuredContent.cases[0].verdict);
check('progress is told', seen.length > 0);
const refused = await call('show', { run: '/etc/passwd' });
check('a path outside is refused', refused.isError && refused.content[0].text.includes('outside the project'));
const unknown = await call('no-such-tool').then((result) => result.isError, () => true);
check('an unknown tool is an error', unknown);
const stop = new AbortController();
const long = call('run', { budget: '60s' }, { signal: stop.signal }).then(() => false, () => true);
setTimeout(() => stop.abort(), 1000);
check('a call can be cancelled', await long);
check('the next call is answered', (await call('list')).structuredContent.count > 0);
await client.close();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
