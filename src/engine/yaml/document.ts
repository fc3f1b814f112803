import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
} from 'yaml';
import type { z } from 'zod';
import { suggest } from './closest.ts';
import { describeIssuePlainly } from './plain-issue.ts';
import { knownKeys } from './schema-keys.ts';

export type Path = readonly (string | number)[];

/** A finding in a YAML file. Lines and columns count from 1. */
export interface DocumentProblem {
  /** Dotted place, e.g. "arms.1.coach.trigger". */
  readonly place: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A YAML text as plain values, and where in the text each of them stands. */
export interface YamlDocument {
  readonly value: unknown;
  /** Problems of the YAML itself; `value` is null when there are any. */
  readonly problems: readonly DocumentProblem[];
  problemAt(path: Path, message: string): DocumentProblem;
}

const maxTextLength = 1_000_000;

/** Blocks and lists within each other: more than any file needs, and less than what walks them by recursion can bear. */
const maxDepth = 100;
const tooDeep = `blocks and lists are nested more than ${maxDepth} deep`;

/** `10_000_000` is a number, as people write budgets. */
const groupedInt: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  identify: () => false,
  test: /^[-+]?[0-9]+(?:_[0-9]+)+$/,
  resolve: (text) => Number.parseInt(text.replaceAll('_', ''), 10),
};

/** Reads YAML 1.2; duplicate keys and unresolved aliases are problems too. Throws: never. */
export function readDocument(text: string): YamlDocument {
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (text.length > maxTextLength) {
    return unreadable('', 'the file is larger than 1 MB; such a file is a page of YAML', 1, 1);
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    customTags: (tags) => [groupedInt, ...tags],
  });
  const problemAt = (path: Path, message: string): DocumentProblem => ({
    place: path.join('.'),
    message,
    ...place(nodeOffset(document.contents, path)),
  });
  // So the parser says it of what is nested too deep for itself.
  const overflow = document.errors.find(({ message }) => message.includes('call stack'));
  if (overflow !== undefined) {
    const problem = { place: '', message: tooDeep, ...place(overflow.pos[0]) };
    return { value: null, problems: [problem], problemAt };
  }
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => ({
      place: '',
      message: `not readable as YAML: ${error.message}`,
      ...place(error.pos[0]),
    }));
    return { value: null, problems, problemAt };
  }
  const faults = findFaults(document.contents)
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => ({ place: '', message, ...place(offset) }));
  if (faults.length > 0) return { value: null, problems: faults, problemAt };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), problems: [], problemAt };
  } catch (thrown) {
    return {
      value: null,
      problems: [problemAt([], `not readable as YAML: ${(thrown as Error).message}`)],
      problemAt,
    };
  }
}

/** What is YAML and cannot be taken: nesting without end, and the one key that objects lose without a word. */
function findFaults(root: Node | null): { readonly offset: number; readonly message: string }[] {
  const faults: { offset: number; message: string }[] = [];
  const open: { node: unknown; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (isPair(node)) {
      if (isScalar(node.key) && node.key.value === '__proto__')
        faults.push({ offset: node.key.range?.[0] ?? 0, message: 'a key cannot be called "__proto__"' });
      open.push({ node: node.key, depth }, { node: node.value, depth });
    } else if (isCollection(node)) {
      if (depth === maxDepth) return [{ offset: node.range?.[0] ?? 0, message: tooDeep }];
      for (const item of node.items) open.push({ node: item, depth: depth + 1 });
    }
  }
  return faults;
}

function unreadable(place: string, message: string, line: number, column: number): YamlDocument {
  const problem = { place, message, line, column };
  return { value: null, problems: [problem], problemAt: () => problem };
}

/** Offset of the key (in a map) or item that `path` names, or of the nearest thing above it that exists. */
function nodeOffset(root: Node | null, path: Path): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => (isScalar(item.key) ? String(item.key.value) : null) === String(step),
      );
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else {
      const next: unknown =
        isNode(node) && 'items' in node ? (node as { items: unknown[] }).items[Number(step)] : undefined;
      if (!isNode(next)) break;
      offset = next.range?.[0] ?? offset;
      node = next;
    }
  }
  return offset;
}

/** What to say of an unknown key at a path where `known` may stand, as `suggest` says it. */
export type SuggestKey = (key: string, known: readonly string[], path: Path) => string;

/** Schema findings in the words and places of the file; an unknown key names the nearest known one. */
export function schemaProblems(
  document: YamlDocument,
  schema: z.ZodType,
  error: z.ZodError,
  suggestKey: SuggestKey = suggest,
): DocumentProblem[] {
  return error.issues.flatMap((issue) => describeIssue(document, schema, issue, suggestKey));
}

function describeIssue(
  document: YamlDocument,
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
  suggestKey: SuggestKey,
): DocumentProblem[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const within = path.length > 0 ? ` in "${path.join('.')}"` : '';
        return document.problemAt(
          [...path, key],
          `unknown key "${key}"${within}${suggestKey(key, knownKeys(schema, path), path)}`,
        );
      });
    case 'invalid_union': {
      const value = valueAt(document.value, path);
      const branches = issue.errors.filter((branch) => branch.length > 0);
      // A map is judged by the branch that takes maps: the one that got furthest into it.
      const deepest = branches.toSorted((a, b) => depthOf(b) - depthOf(a))[0];
      if (deepest === undefined || !isBlock(value))
        return [document.problemAt(path, label(path, issue.message))];
      return deepest.flatMap((inner) =>
        describeIssue(
          document,
          schema,
          { ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue,
          suggestKey,
        ),
      );
    }
    default:
      return [document.problemAt(path, describeValue(document, path, describeIssuePlainly(issue)))];
  }
}

/** A map as YAML gives it. */
function isBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeValue(document: YamlDocument, path: Path, message: string): string {
  const value = valueAt(document.value, path);
  if (value !== undefined && document.value !== null) return label(path, message + suggestNumber(value));
  return path.length > 0 ? `"${path.join('.')}" is missing` : 'the file is empty';
}

const powers: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9 };

/** "; write 60_000" for 60k, as people say it. */
function suggestNumber(value: unknown): string {
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)\s*([kmg])$/i.exec(String(value)) ?? [];
  if (typeof value !== 'string' || digits === undefined) return '';
  const number = Math.round(Number(digits) * (powers[suffix.toLowerCase()] ?? 1));
  return `; write ${String(number).replace(/\B(?=(\d{3})+$)/g, '_')}`;
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)),
  );
}

function label(path: Path, message: string): string {
  return path.length > 0 ? `"${path.join('.')}": ${message}` : message;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
