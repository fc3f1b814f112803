import { sha256 } from '../../engine/files/index.ts';
import {
  type ExportExample,
  type ExportManifest,
  exportExample,
  exportManifest,
} from '../../shared/contract/coach-export.ts';
import { jsonOrNull } from '../../shared/std/parse-json.ts';
import { type ExportTexts, exportNames } from './export-files.ts';

type Part = 'train' | 'test';

const parts = ['train', 'test'] as const;

export interface ExportCheck {
  /** Empty: the two parts have nothing in common. */
  readonly problems: readonly string[];
  readonly numStudies: number;
  readonly numExamples: Readonly<Record<Part, number>>;
}

/**
 * Whether what is exported keeps train and test apart, judged from the files themselves: every line is sound, what they
 * say of their origin fits the manifest, and the parts share no study, family, experiment, environment or question.
 */
export function checkExport(texts: ExportTexts): ExportCheck {
  const problems: string[] = [];
  const examples = {
    train: readExamples(texts.train, exportNames.train, problems),
    test: readExamples(texts.test, exportNames.test, problems),
  };
  const manifest = readManifest(texts.manifest, problems);
  problems.push(...findCommon(examples));
  if (manifest !== null)
    for (const part of parts)
      problems.push(...compareWithManifest(manifest, part, texts[part], examples[part]));
  if (manifest !== null) problems.push(...findSharedEnvironments(manifest));
  const studies = new Set(parts.flatMap((part) => examples[part].map(({ source }) => source.study)));
  return {
    problems,
    numStudies: studies.size,
    numExamples: { train: examples.train.length, test: examples.test.length },
  };
}

function readExamples(text: string, name: string, problems: string[]): ExportExample[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else problems.push(`${name} ends within a line: it is cut short`);
  return lines.flatMap((line, index) => {
    const parsed = exportExample.safeParse(jsonOrNull(line));
    if (parsed.success) return [parsed.data];
    const [first] = parsed.error.issues;
    const where =
      first === undefined || first.path.length === 0 ? '' : ` (${first.path.join('.')}: ${first.message})`;
    problems.push(`${name}:${index + 1} is no example${where}`);
    return [];
  });
}

function readManifest(text: string, problems: string[]): ExportManifest | null {
  const parsed = exportManifest.safeParse(jsonOrNull(text));
  if (parsed.success) return parsed.data;
  problems.push(`${exportNames.manifest} is no manifest of an export`);
  return null;
}

const origins = {
  study: ({ source }: ExportExample) => source.study,
  family: ({ source }: ExportExample) => source.family,
  experiment: ({ source }: ExportExample) => source.experiment,
  question: ({ messages }: ExportExample) =>
    sha256(JSON.stringify(messages.filter(({ role }) => role !== 'assistant'))),
};

function findCommon(examples: Readonly<Record<Part, readonly ExportExample[]>>): string[] {
  return Object.entries(origins).flatMap(([what, originOf]) => {
    const inTrain = new Map(examples.train.map((example) => [originOf(example), example.source.proposal]));
    const common = new Map(
      examples.test.flatMap((example) => {
        const origin = originOf(example);
        return inTrain.has(origin) ? [[origin, example.source.proposal] as const] : [];
      }),
    );
    return [...common].map(([origin, proposal]) => {
      const which = what === 'question' ? '' : ` ${origin}`;
      return `the ${what}${which} is in both parts: ${inTrain.get(origin)} in train, ${proposal} in test`;
    });
  });
}

function compareWithManifest(
  { files, studies }: ExportManifest,
  part: Part,
  text: string,
  examples: readonly ExportExample[],
): string[] {
  const known = new Map(studies.map((study) => [study.study, study]));
  const changed =
    files[part].sha256 === sha256(text) ? [] : [`${exportNames[part]} is not the file of the manifest`];
  const strays = examples.flatMap(({ source }) => {
    const study = known.get(source.study);
    if (study === undefined) return [`${source.proposal}: study ${source.study} is not in the manifest`];
    const faults = [
      ...(study.part === part ? [] : [`belongs to ${study.part}, and is in ${part}`]),
      ...(study.family === source.family
        ? []
        : [`names family ${source.family} in place of ${study.family}`]),
      ...(study.experiment === source.experiment ? [] : ['names another experiment than the manifest']),
      ...(source.proposal.startsWith(`${source.study}.`) ? [] : [`is no proposal of study ${source.study}`]),
    ];
    return faults.map((fault) => `${source.proposal} ${fault}`);
  });
  return [...changed, ...strays];
}

function findSharedEnvironments({ studies, kin }: ExportManifest): string[] {
  if (kin !== 'environment') return [];
  const ofTrain = new Map(
    studies
      .filter(({ part }) => part === 'train')
      .flatMap(({ study, environments }) => environments.map((id) => [id, study])),
  );
  return studies
    .filter(({ part }) => part === 'test')
    .flatMap(({ study, environments }) =>
      environments
        .filter((id) => ofTrain.has(id))
        .map(
          (id) =>
            `${study} (test) and ${ofTrain.get(id)} (train) trained in one environment, ${id.slice(0, 12)}`,
        ),
    );
}
