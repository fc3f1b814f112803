import { sha256 } from '../files/index.ts';
import {
  type DocumentProblem,
  type Path,
  readDocument,
  schemaProblems,
  type YamlDocument,
} from '../yaml/index.ts';
import { parseLine } from './parse-line.ts';
import { parseSlot } from './parse-slot.ts';
import type { Slot, Template } from './template.ts';
import { slotSchema, type TemplateFile, templateSchema } from './template-schema.ts';

export interface ParsedTemplate {
  /** Null while there are problems. */
  readonly template: Template | null;
  readonly problems: readonly DocumentProblem[];
  /** A finding about something at a path of the file. */
  problemAt(path: Path, message: string): DocumentProblem;
}

/**
 * Reads a template file and checks all of it but the EDL of its slots, which needs a scenario: that is
 * `createDescriber`'s. Throws: never.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const document = readDocument(text);
  const { problemAt } = document;
  if (document.problems.length > 0) return { template: null, problems: document.problems, problemAt };
  const parsed = templateSchema.safeParse(document.value, { reportInput: false });
  if (!parsed.success) {
    const problems = [
      ...schemaProblems(document, templateSchema, parsed.error),
      ...problemsOfSoundSlots(document),
    ];
    return { template: null, problems: problems.toSorted(byPlace), problemAt };
  }
  const problems: DocumentProblem[] = [];
  const template = checkFile(parsed.data, text, document, problems);
  return problems.length > 0 ? { template: null, problems, problemAt } : { template, problems, problemAt };
}

/** What is wrong with slots whose keys are right, where the file as a whole is not: all is told at once. */
function problemsOfSoundSlots(document: YamlDocument): DocumentProblem[] {
  const { slots } = (document.value ?? {}) as { readonly slots?: unknown };
  if (typeof slots !== 'object' || slots === null) return [];
  return Object.entries(slots).flatMap(([name, value]) => {
    const file = slotSchema.safeParse(value);
    const problems: DocumentProblem[] = [];
    const path = ['slots', name];
    if (file.success)
      parseSlot(name, file.data, path, (below, message) =>
        problems.push(document.problemAt([...path, ...below], message)),
      );
    return problems;
  });
}

function byPlace(a: DocumentProblem, b: DocumentProblem): number {
  return a.line - b.line || a.column - b.column;
}

function checkFile(
  file: TemplateFile,
  text: string,
  document: YamlDocument,
  problems: DocumentProblem[],
): Template {
  const report = (path: Path, message: string): void => {
    problems.push(document.problemAt(path, message));
  };
  const slots = new Map<string, Slot>();
  for (const [name, slotFile] of Object.entries(file.slots)) {
    const path = ['slots', name];
    if (name === 'agent') {
      report(path, '{{agent}} is the name of the agent: call the slot otherwise');
      continue;
    }
    const slot = parseSlot(name, slotFile, path, (below, message) => report([...path, ...below], message));
    if (slot !== null) slots.set(name, slot);
  }
  // A slot that is wrong itself is not unknown: lines are read once all slots are sound.
  const lines =
    problems.length > 0
      ? []
      : file.text.flatMap((line, index) => parseLine(line, slots, ['text', index], report) ?? []);
  return {
    scenario: file.scenario,
    doc: file.doc ?? '',
    hash: sha256(text),
    slots: [...slots.values()],
    lines,
  };
}
