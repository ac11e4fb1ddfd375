// Tests the plugin for agents: its files can be read, and what they name exists. crates/cli/src/manual/documents.rs
// parses the commands of the skill.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { read } from './sources.mjs';

const json = (file) => JSON.parse(read(file));
const tools = [...read('crates/mcp/src/tools.rs').matchAll(/offer::<\w+>\(\s*"(\w+)"/g)].map(([, name]) => name);

test('the marketplace leads to the plugin', () => {
  const { plugins } = json('.claude-plugin/marketplace.json');
  assert.ok(plugins.length > 0);
  for (const { name, source, description } of plugins) {
    const plugin = json(path.join(source, '.claude-plugin/plugin.json'));
    assert.deepEqual([plugin.name, plugin.description], [name, description]);
  }
});

test('the plugin starts a verb that exists', () => {
  const servers = Object.values(json('plugin/.mcp.json').mcpServers);
  assert.equal(servers.length, 1);
  const [{ command, args }] = servers;
  assert.equal(command, 'derny');
  assert.match(read('docs/reference/commands.md'), new RegExp(`^#+ .?derny ${args.join(' ')}\\b`, 'm'));
});

test('the skill has a head, and names tools that exist', () => {
  const text = read('plugin/skills/derny/SKILL.md');
  const [, head] = /^---\n([^]*?)\n---\n/.exec(text);
  assert.match(head, /^name: derny$/m);
  const [, description] = /^description: (.+)$/m.exec(head);
  assert.ok(description.length > 50 && description.length <= 1024);
  assert.ok(tools.length >= 6, `${tools.length} tools`);
  const named = [...text.matchAll(/^\|[^|]*\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.ok(named.length > 3);
  assert.deepEqual(named.filter((name) => !tools.includes(name)), []);
  const guide = [...read('docs/guide/agents.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(guide.toSorted(), tools.toSorted(), 'docs/guide/agents.md has a row for each tool');
});
