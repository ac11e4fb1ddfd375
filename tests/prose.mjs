// Splits a Markdown or help text into sentences, and finds their faults.

import { read } from './sources.mjs';

/** Maximum length of a sentence in words. */
export const LONGEST = 35;

/** Words that Derny no longer uses, from the table in GLOSSARY.md, with their plurals. */
const unused = read('GLOSSARY.md').split('## No longer said')[1].matchAll(/^\| (?!no longer|---)([^|]+) \|/gm);
const words = [...unused].flatMap(([, cell]) => cell.split(', '));
const old = new RegExp(`(?<![\\w-])(?:${words.join('|')})s?(?![\\w-])`, 'gi');

/** Returns the paragraphs of a Markdown text without code, tables and addresses. */
export function paragraphs(text) {
  const plain = text
    .replace(/^---\n[^]*?^---\n/, '')
    .replace(/^( *)(```|~~~)[^]*?^\1\2/gm, '\n')
    .replace(/<!--[^]*?-->/g, '')
    .replace(/^(?: {4}|\t).*$/gm, '')
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  const found = [];
  let open = '';
  const close = () => {
    if (open.trim()) found.push(open.trim());
    open = '';
  };
  for (const line of plain.split('\n')) {
    if (/^\s*\|/.test(line)) {
      close();
      // Each cell of a table counts as a paragraph.
      if (!/^[\s|:-]+$/.test(line)) found.push(...line.split('|').map((cell) => cell.trim()).filter(Boolean));
    } else if (/^\s*$/.test(line)) {
      close();
    } else if (/^\s*(?:[-*+]|\d+\.|#+)\s/.test(line)) {
      close();
      open = line.replace(/^\s*(?:[-*+]|\d+\.|#+)\s+/, '');
      if (/^\s*#/.test(line)) close();
    } else {
      open += ` ${line.trim()}`;
    }
  }
  close();
  return found;
}

/** Splits a paragraph into sentences, which end with `.`, `?` or `!`. */
export function sentences(paragraph) {
  return paragraph.replace(/\b(?:e\.g|i\.e|et al|vs|no|Mr)\.\s/g, (word) => word.replace('.', '')).split(/(?<=[.?!][)"”*_]*)\s+/);
}

/** Returns the faults of a text: sentences that are too long, and old words. */
export function complaints(text) {
  const found = [];
  for (const paragraph of paragraphs(text)) {
    for (const sentence of sentences(paragraph)) {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words > LONGEST) found.push(`${words} words: ${sentence}`);
    }
    for (const [word] of paragraph.matchAll(old)) {
      found.push(`the old word “${word}”: ${paragraph}`);
    }
  }
  return found;
}
