// Parses the part of YAML that our workflows use, and fails on anything else: maps and lists by indentation,
// plain and quoted scalars, lists in brackets, blocks after `|`, comments.

/** Returns the value of a scalar or of a list in brackets. */
function scalar(text, line) {
  const fail = (why) => { throw new Error(`line ${line}: ${why}: ${text}`); };
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) fail('the list does not end');
    return text.slice(1, -1).split(',').map((item) => item.trim()).filter(Boolean).map((item) => scalar(item, line));
  }
  const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2];
  if (/^[{&*!>%@`"'|?]|^- /.test(text) || /: |:$/.test(text)) fail('this needs quotes, or is no YAML that is read here');
  if (/^(?:true|false)$/.test(text)) return text === 'true';
  if (/^(?:yes|no|on|off|null|~)$/i.test(text)) fail('this has two meanings: quote it');
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Returns the value of a YAML text. Fails with the line that is wrong. */
export function parse(text) {
  const lines = text.split('\n').map((raw, index) => {
    if (/^ *\t/.test(raw)) throw new Error(`line ${index + 1}: a tab`);
    const indent = raw.length - raw.trimStart().length;
    return { raw, line: index + 1, indent, text: raw.trim().replace(/^#.*|\s+#.*$/, '') };
  });
  let at = 0;
  const skip = () => { while (at < lines.length && lines[at].text === '') at++; };
  const block = (least) => {
    const kept = [];
    while (at < lines.length && (lines[at].raw.trim() === '' || lines[at].indent >= least)) kept.push(lines[at++].raw);
    const depth = kept[0].length - kept[0].trimStart().length;
    return `${kept.map((raw) => raw.slice(depth)).join('\n').trimEnd()}\n`;
  };
  /**
   * Returns the value after `KEY:`, which is on the same line or indented deeper. A list may begin at the
   * column of its key.
   */
  const behind = (rest, own, line) => {
    if (rest === '|') return block(own + 1);
    if (rest !== '') return scalar(rest, line);
    skip();
    const next = lines[at];
    const list = next?.indent === own && next.text.startsWith('- ');
    return next && (next.indent > own || list) ? node(next.indent) : null;
  };
  const entry = (into, current, indent) => {
    const [, key, rest] = /^([\w.-]+):(?: +(.*))?$/.exec(current.text) ?? [];
    if (key === undefined) throw new Error(`line ${current.line}: neither a key nor an item: ${current.text}`);
    if (Object.hasOwn(into, key)) throw new Error(`line ${current.line}: ${key} is there twice`);
    at++;
    into[key] = behind(rest ?? '', indent, current.line);
  };
  function node(indent) {
    const list = lines[at].text.startsWith('- ');
    const value = list ? [] : {};
    for (skip(); at < lines.length && lines[at].indent >= indent; skip()) {
      const current = lines[at];
      if (current.indent !== indent) throw new Error(`line ${current.line}: indented by ${current.indent}, not ${indent}`);
      if (list !== current.text.startsWith('- ')) break;
      if (!list) entry(value, current, indent);
      else if (/^- [\w.-]+:(?: |$)/.test(current.text)) {
        // For an item that is a map, the first key begins after the dash.
        current.text = current.text.replace(/^- +/, (dash) => { current.indent += dash.length; return ''; });
        value.push(node(current.indent));
      } else {
        at++;
        value.push(scalar(current.text.slice(2).trim(), current.line));
      }
    }
    return value;
  }
  skip();
  const value = at < lines.length ? node(0) : null;
  if (at < lines.length) throw new Error(`line ${lines[at].line}: neither in a list nor in a map`);
  return value;
}
