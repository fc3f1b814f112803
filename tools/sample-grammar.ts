import { parseArgs } from 'node:util';
import { ModelHost } from '../src/engine/coach/index.ts';
import type { GenerateAnswer } from '../src/engine/coach/types.ts';
import {
  compile,
  type DeclarationKindName,
  declarationGrammar,
  declarationKindNames,
  type EdlHost,
  format,
  reachableRules,
  renderGbnf,
} from '../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../src/engine/sim/index.ts';

// Samples declarations from a language model that is held to the EDL grammar of a scenario, and says how many of them
// parse, how many check without errors, and how fast they came. Nothing is retried and nothing is left out.

const usage = `node tools/sample-grammar.ts MODEL.gguf [--scenario NAME] [--count N] [--kinds a,b] [--even] [--parallel N] [--threads N]
  [--temperature T] [--seed N] [--max-tokens N] [--show N]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: 'string', default: 'simple_spread' },
    even: { type: 'boolean' },
    count: { type: 'string', default: '1000' },
    kinds: { type: 'string' },
    parallel: { type: 'string', default: '8' },
    threads: { type: 'string', default: '2' },
    temperature: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    'max-tokens': { type: 'string', default: '320' },
    show: { type: 'string', default: '3' },
  },
});

/** Samples asked for at a time. */
const batch = 32;

interface Outcome {
  readonly kind: string;
  readonly isParsed: boolean;
  readonly isCanonical: boolean;
  /** The first error; null where there is none. */
  readonly error: string | null;
}

const host: EdlHost = {
  scenarioNames,
  manifest: (scenario, parameters) => scenarioManifest(scenario, parameters),
};

function number(
  name: 'count' | 'parallel' | 'threads' | 'temperature' | 'seed' | 'max-tokens' | 'show',
): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new RangeError(`--${name} is a number, not ${values[name]}\n${usage}`);
}

function readKinds(): DeclarationKindName[] | undefined {
  return values.kinds?.split(',').map((name) => {
    const kind = declarationKindNames.find((known) => known === name.trim());
    if (kind === undefined) throw new RangeError(`--kinds: there is no kind ${name}\n${usage}`);
    return kind;
  });
}

/** A declaration as the only one of its environment. */
function judge(scenario: string, declaration: string): Outcome {
  const text = `environment sampled extends ${scenario} {\n  ${declaration.replaceAll('\n', '\n  ')}\n}\n`;
  const formatted = format(text);
  const { diagnostics } = compile(text, host);
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return {
    kind: declaration.split(/\s/)[0] ?? '',
    isParsed: 'text' in formatted,
    isCanonical: 'text' in formatted && formatted.text === text,
    error: error === undefined ? null : `${error.code} ${error.message}`,
  };
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function report(outcomes: readonly Outcome[], answers: readonly GenerateAnswer[], seconds: number): void {
  const tokens = answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  const characters = answers.reduce((sum, { text }) => sum + text.length, 0);
  const count = outcomes.length;
  const parsed = outcomes.filter(({ isParsed }) => isParsed).length;
  const sound = outcomes.filter(({ error }) => error === null).length;
  const cut = answers.filter(({ stopReason }) => stopReason === 'maxTokens').length;
  console.log(`parse: ${parsed} of ${count} (${percent(parsed, count)})`);
  console.log(`check without errors: ${sound} of ${count} (${percent(sound, count)})`);
  console.log(
    `in canonical layout: ${outcomes.filter(({ isCanonical }) => isCanonical).length}; cut off: ${cut}`,
  );
  console.log(
    `mean length: ${(tokens / count).toFixed(1)} tokens, ${(characters / count).toFixed(0)} characters`,
  );
  console.log(`${(tokens / seconds).toFixed(1)} tokens/s, ${seconds.toFixed(0)} s in all`);
  for (const [kind, all] of grouped(outcomes, (outcome) => outcome.kind)) {
    console.log(`  ${kind}: ${all.filter(({ error }) => error === null).length} of ${all.length} check`);
  }
  const failed = outcomes.filter(({ error }) => error !== null);
  for (const [error, all] of grouped(failed, (outcome) => outcome.error ?? ''))
    console.log(`  ${all.length} × ${error}`);
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The grammar of all kinds at once or, evenly, one for each kind that the scenario has something for. */
function grammarsOf(scenario: string): string[] {
  const manifest = scenarioManifest(scenario);
  const kinds = readKinds();
  const usual = declarationKindNames.filter((kind) => kind !== 'mission');
  const groups = values.even === true ? (kinds ?? usual).map((kind) => [kind]) : [kinds];
  const open = groups
    .map((group) => declarationGrammar({ manifest, kinds: group }))
    .filter(({ root }) => root.kind !== 'never');
  for (const rules of open) {
    const { length } = renderGbnf(rules);
    console.log(`${scenario}: a grammar of ${reachableRules(rules).size + 1} rules, ${length} bytes`);
  }
  return open.map(renderGbnf);
}

async function sampleAll(
  models: ModelHost,
  path: string,
  grammars: readonly string[],
): Promise<GenerateAnswer[]> {
  const { scenario } = values;
  const client = models.client('sample');
  await client.load(path);
  const answers: GenerateAnswer[] = [];
  const started = performance.now();
  const count = number('count');
  for (let part = 0; answers.length < count; part++) {
    const until = Math.min(count, answers.length + batch);
    const seeds = Array.from(
      { length: until - answers.length },
      (_, i) => number('seed') * 1e6 + answers.length + i,
    );
    const { answers: some } = await client.sample({
      prompt: `Write one declaration in EDL for the scenario ${scenario}.`,
      grammar: grammars[part % grammars.length] ?? '',
      temperature: number('temperature'),
      maxTokens: number('max-tokens'),
      seeds,
      parallel: number('parallel'),
    });
    answers.push(...some);
    console.error(
      `${answers.length} of ${count} after ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
  }
  return answers;
}

async function main(): Promise<void> {
  const [path] = positionals;
  if (path === undefined) throw new RangeError(usage);
  const { scenario } = values;
  const grammars = grammarsOf(scenario);
  const models = new ModelHost({
    threads: number('threads'),
    contextTokens: 768,
    answerTimeoutMs: 3_600_000,
  });
  try {
    const started = performance.now();
    const answers = await sampleAll(models, path, grammars);
    const seconds = (performance.now() - started) / 1000;
    for (const { text } of answers.slice(0, number('show'))) console.log(`\n${text}`);
    console.log('');
    report(
      answers.map(({ text }) => judge(scenario, text)),
      answers,
      seconds,
    );
  } finally {
    await models.close();
  }
}

await main();
