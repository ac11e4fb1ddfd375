// Finds modules of a crate that import each other in a circle. Parses the text of the sources: `use` trees,
// and paths that begin with `crate`, `super`, `self` or a module of the same crate. A re-exported name (`pub
// use`) belongs to its own module. Ignores tests.
import { sources } from './sources.mjs';

const NAME = /^\w+$/;

/** Returns the module of a file: `a::b` for src/a/b.rs, the empty name for src/lib.rs. */
const moduleOf = (file) => file.replace(/^crates\/\w+\/src\//, '').replace(/\.rs$/, '').replace(/\/mod$/, '')
  .replace(/^(?:lib|main)$/, '').replaceAll('/', '::');

/** Returns the paths of a `use` tree, each with its local name. */
function paths(tree, before = []) {
  const text = tree.trim();
  const open = text.indexOf('{');
  if (open < 0) {
    const [path, alias] = text.split(/\s+as\s+/);
    const segments = [...before, ...path.split('::').map((part) => part.trim()).filter(Boolean)];
    if (segments.at(-1) === 'self') segments.pop();
    return [{ segments, name: alias ?? segments.at(-1) }];
  }
  const start = [...before, ...text.slice(0, open).split('::').map((part) => part.trim()).filter(Boolean)];
  const parts = [];
  let [depth, from] = [0, open + 1];
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && depth-- === 0) { parts.push(text.slice(from, at)); break; }
    else if (text[at] === ',' && depth === 0) { parts.push(text.slice(from, at)); from = at + 1; }
  }
  return parts.filter((part) => part.trim()).flatMap((part) => paths(part, start));
}

/** Returns the modules of a crate, each with those that it imports. */
function modules(crate) {
  const own = new Map(sources.filter((source) => source.crate === crate && !source.file.includes('/src/bin/'))
    .map(({ file, text }) => [moduleOf(file), text.replace(/\/\/.*$/gm, '').replace(/"(?:[^"\\]|\\.)*"/gs, '""')]));
  const uses = new Map();
  for (const [name, text] of own) {
    const trees = [...text.matchAll(/^\s*(pub(?:\([^)]*\))? )?use ([^;]+);/gm)];
    uses.set(name, trees.flatMap(([, open, tree]) => paths(tree).map((path) => ({ ...path, open: Boolean(open) }))));
  }
  /** Resolves a path seen from `from` to a module. Returns nothing for a path to another crate. */
  function resolve(from, segments, seen = new Set()) {
    let at = from;
    let rest = segments;
    if (rest[0] === 'crate') [at, rest] = ['', rest.slice(1)];
    else if (rest[0] === 'self') rest = rest.slice(1);
    else if (rest[0] === 'super') {
      while (rest[0] === 'super') [at, rest] = [at.split('::').slice(0, -1).join('::'), rest.slice(1)];
    } else if (!own.has(at === '' ? rest[0] : `${at}::${rest[0]}`)) return undefined;
    while (rest.length > 0) {
      const below = at === '' ? rest[0] : `${at}::${rest[0]}`;
      if (own.has(below)) [at, rest] = [below, rest.slice(1)];
      else {
        const key = `${at} ${rest[0]}`;
        const handed = uses.get(at)?.find(({ open, name }) => open && name === rest[0]);
        if (!handed || seen.has(key)) return at;
        return resolve(at, [...handed.segments, ...rest.slice(1)], seen.add(key)) ?? at;
      }
    }
    return at;
  }
  const arrows = new Map();
  for (const [name, text] of own) {
    const body = text.replace(/^\s*(?:pub(?:\([^)]*\))? )?use [^;]+;/gm, '');
    const inline = [...body.matchAll(/\b(?:crate|super|self)(?:::\w+)+/g)].map(([path]) => path.split('::'));
    const below = name === '' ? '' : `${name}::`;
    const children = [...own.keys()].filter((other) => other.startsWith(below) && NAME.test(other.slice(below.length)))
      .map((other) => other.slice(below.length));
    const called = [...body.matchAll(/(?<![\w:])(\w+)::\w+/g)].filter(([, first]) => children.includes(first)).map(([path]) => path.split('::'));
    const wanted = [...uses.get(name).map(({ segments }) => segments), ...inline, ...called].filter((path) => path.every((part) => NAME.test(part) || part === '*'));
    const found = wanted.map((path) => resolve(name, path.filter((part) => part !== '*')));
    arrows.set(name, new Set(found.filter((to) => to !== undefined && to !== name)));
  }
  return arrows;
}

/** Returns the circles of a crate, each as a list of modules that reach each other. */
export function circles(crate) {
  const arrows = modules(crate);
  const reach = new Map([...arrows.keys()].map((from) => {
    const [seen, waiting] = [new Set(), [...arrows.get(from)]];
    while (waiting.length > 0) {
      const to = waiting.pop();
      if (!seen.has(to)) { seen.add(to); waiting.push(...(arrows.get(to) ?? [])); }
    }
    return [from, seen];
  }));
  const found = new Map();
  for (const [from, seen] of reach) {
    if (!seen.has(from)) continue;
    const ring = [...seen].filter((to) => reach.get(to)?.has(from)).sort();
    found.set(ring.join(), ring.map((name) => name || 'lib'));
  }
  return [...found.values()];
}

/** Returns the imports within a circle, as text. */
export function arrowsOf(crate, ring) {
  const arrows = modules(crate);
  const names = ring.map((name) => (name === 'lib' ? '' : name));
  return names.flatMap((from) => [...arrows.get(from)].filter((to) => names.includes(to)).map((to) => `${from || 'lib'} -> ${to || 'lib'}`));
}
