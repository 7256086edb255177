// No text stands in the code: what people read is in the catalogues.

import { readdirSync, readFileSync } from 'node:fs';
import { parse, type AST } from 'svelte/compiler';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const SRC = `${process.cwd()}/src`;
const all = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
const read = (file: string): string => readFileSync(`${SRC}/${file}`, 'utf8');

/** Attributes whose value is read or heard. */
const SPOKEN = new Set(['alt', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext',
  'label', 'placeholder', 'title']); // prettier-ignore
/** A word: two letters of which the second is small. Numbers, signs and codes are none. */
const WORD = /\p{L}\p{Ll}/u;

type Node = { type: string } & Record<string, unknown>;

/** Texts in the markup of a component: between the tags, or in attributes that are spoken. */
function inMarkup(source: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (value === null || typeof value !== 'object') return;
    const node = value as Node;
    if (node.type === 'Text') {
      if (WORD.test(String(node.data))) found.push(String(node.data).trim());
      return;
    }
    if (node.type === 'StyleDirective') return;
    if (node.type === 'Attribute') return attribute(node as unknown as AST.Attribute);
    Object.entries(node).forEach(([key, child]) => key !== 'metadata' && visit(child));
  };
  const attribute = (node: AST.Attribute): void => {
    if (node.value === true) return;
    for (const part of Array.isArray(node.value) ? node.value : [node.value]) {
      if (part.type !== 'Text') visit(part.expression);
      else if (SPOKEN.has(node.name) && WORD.test(part.data)) found.push(`${node.name}=${part.data}`);
    }
  };
  visit(parse(source, { modern: true }).fragment);
  return [...found, ...inCode(expressions(source))];
}

/** What stands between braces, so that a text hidden in an expression is found too. */
function expressions(source: string): string {
  const markup = source.replace(/<(script|style)[^]*?<\/\1>/g, '');
  const held = [...markup.matchAll(/\{(?![#/:@])([^{}]*)\}/g)].map((match) => `(${match[1]});`);
  const script = /<script[^>]*>([^]*?)<\/script>/.exec(source)?.[1] ?? '';
  return `${script}\n${held.join('\n')}`;
}

/** Names of keys, ends of ids and the like that look like words and are none. */
const CODES = /^(Mine|Enter|Escape|Home|End|Page(Up|Down)|Delete|Backspace|Tab|Shift|Arrow\w+|[A-Z][a-z]+Error)$/;

/** Literals that read like a sentence or begin like one. */
function inCode(code: string): string[] {
  const found: string[] = [];
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.ES2022, true);
  const visit = (node: ts.Node): void => {
    // What an exception says is for whoever mends the page, and what a selector names is no text.
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) return;
    if (ts.isImportDeclaration(node)) return;
    if (ts.isCallExpression(node) && /(^|\.)(querySelector(All)?|closest|matches|matchMedia)$/.test(node.expression.getText())) return; // prettier-ignore
    if (ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const text = node.text.trim();
      const sentence = /\p{L}{2,}[,.]? \p{L}\p{Ll}/u.test(text) || /^\p{Lu}\p{Ll}+/u.test(text);
      if (sentence && !CODES.test(text) && !isTechnical(text)) found.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** CSS, MIME types and the other languages of a page. */
const isTechnical = (text: string): boolean =>
  /^[a-z-]+\(|;|^\w+\/\w+|[{}<>=]/.test(text) || /\b\d+(px|ms|s|%)\b/.test(text);

describe('what would be found', () => {
  test.each([
    ['<p>Hello</p>', ['Hello']],
    ['<p>{n} × 7</p>', []],
    ['<button aria-label="Close"></button>', ['aria-label=Close']],
    ['<img alt={`the ${x}`} />', []],
    ['<img alt={"the picture"} />', ['the picture']],
    ['<p class="big red">{x ? "Your" : y}</p>', ['Your']],
    ["<script>const a = 'Not yet';</script>", ['Not yet']],
    ["<script>throw new Error('Not yet');</script>", []],
  ])('%s', (source, texts) => {
    expect(inMarkup(source)).toEqual(texts);
  });
});

const components = all.filter((file) => file.endsWith('.svelte'));
const scripts = all.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

test('there is something to look at', () => {
  expect(components.length).toBeGreaterThan(20);
  expect(scripts.length).toBeGreaterThan(20);
});

test.each(components)('%s holds no text', (file) => {
  expect(inMarkup(read(file))).toEqual([]);
});

test.each(scripts)('%s holds no text', (file) => {
  // Generated types quote the room's descriptions in comments only; languages name themselves.
  const known = file.endsWith('language.svelte.ts') ? ['English', 'Deutsch'] : [];
  expect(inCode(read(file)).filter((text) => !known.includes(text))).toEqual([]);
});
