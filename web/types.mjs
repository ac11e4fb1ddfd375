// Generates src/model.ts from the committed JSON Schemas, which are generated from the engine's types. `node
// types.mjs` writes the file. test.sh checks that it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = process.argv[2] ?? path.join(here, 'src/model.ts');
/** Types that the page reads. */
const ROOTS = ['Document', 'Scaling'];

const quoted = (text) => (/^[A-Za-z_]\w*$/.test(text) ? text : JSON.stringify(text));
const comment = (schema, indent) => (schema.description ? `${indent}/** ${schema.description.replace(/\s+/g, ' ').replace(/\*\//g, '* /')} */\n` : '');
const union = (types) => [...new Set(types)].join(' | ');
const grouped = (text) => (/[|]/.test(text) ? `(${text})` : text);

/** Returns the fields of an object, one per line. */
function fields(schema, indent) {
  const required = new Set(schema.required);
  const field = ([name, of]) => `${comment(of, indent)}${indent}${quoted(name)}${required.has(name) ? '' : '?'}: ${type(of, indent)};\n`;
  return Object.entries(schema.properties).map(field).join('');
}

/** Returns the type of a schema. */
function type(schema, indent = '') {
  if (typeof schema === 'boolean') return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return union(choices.map((choice) => type(choice, indent)));
  if (schema.allOf?.length === 1) return type(schema.allOf[0], indent);
  if (Array.isArray(schema.type)) return union(schema.type.map((one) => type({ ...schema, type: one }, indent)));
  switch (schema.type) {
    case 'null': return 'null';
    case 'string': return 'string';
    case 'boolean': return 'boolean';
    case 'integer':
    case 'number': return 'number';
    case 'array': return schema.prefixItems ? `[${schema.prefixItems.map((item) => type(item, indent)).join(', ')}]` : `${grouped(type(schema.items ?? true, indent))}[]`;
    case 'object':
      if (schema.properties) return `{\n${fields(schema, `${indent}  `)}${indent}}`;
      return `Record<string, ${schema.additionalProperties ? type(schema.additionalProperties, indent) : 'unknown'}>`;
    default: return 'unknown';
  }
}

const { $defs } = JSON.parse(readFileSync(path.join(here, '../docs/reference/schema/outputs.json'), 'utf8'));
const declared = new Map();
/** Declares a type, and those that it refers to. */
function declare(name) {
  if (declared.has(name)) return;
  const of = $defs[name];
  const body = of.type === 'object' && of.properties ? `export interface ${name} {\n${fields(of, '  ')}}\n` : `export type ${name} = ${type(of)};\n`;
  declared.set(name, comment(of, '') + body);
  for (const [, other] of JSON.stringify(of).matchAll(/"#\/\$defs\/(\w+)"/g)) declare(other);
}
ROOTS.forEach(declare);
const sorted = [...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
writeFileSync(out, `// Made by types.mjs of the schemas in docs/reference/schema. Do not edit.\n\n${sorted.join('\n')}`);
