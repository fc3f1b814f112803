import { writeFileSync } from 'node:fs';
import { type KeptRun, type KeptStudy, listTasks, readExperiment, readKept } from '../bench/evidence/kept.ts';
import { comparePaired, interquartileMean, summarizeScores } from '../src/engine/runs/statistics.ts';

// Writes docs/evidence/results.md from what bench/evidence/measure.ts kept.

/** Columns of a curve. */
const maxColumns = 8;

const show = (value: number): string => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toFixed(digits).replace('-', '−');
};
const signed = (value: number): string => (value > 0 ? `+${show(value)}` : show(value));
const millions = (steps: number): string => `${+(steps / 1e6).toFixed(2)} M`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What the file says before its first key. */
function introductionOf(task: string): string {
  const lines = readExperiment(task).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^# ?/, ''))
    .join('\n');
}

interface Arm {
  readonly name: string;
  readonly runs: readonly { readonly seed: number; readonly run: KeptRun }[];
}

function armsOf({ seeds }: KeptStudy): Arm[] {
  const names = [...new Set(seeds.flatMap(({ runs }) => runs.map(({ arm }) => arm)))];
  return names.map((name) => ({
    name,
    runs: seeds.flatMap(({ seed, runs }) => {
      const run = runs.find(({ arm }) => arm === name);
      return run === undefined ? [] : [{ seed, run }];
    }),
  }));
}

const scoresOf = ({ runs }: Arm, read: (run: KeptRun) => number | undefined): Map<number, number> =>
  new Map(
    runs.flatMap(({ seed, run }): [number, number][] => {
      const value = read(run);
      return value === undefined ? [] : [[seed, value]];
    }),
  );

const objective = (run: KeptRun): number => run.objective;

function showScores(scores: ReadonlyMap<number, number>): string {
  const summary = summarizeScores(scores);
  return summary === null ? '' : `${show(summary.iqm)} [${show(summary.low)}, ${show(summary.high)}]`;
}

function showPaired(
  own: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number> | undefined,
  better: 'higher' | 'lower',
): string {
  const paired = other === undefined ? null : comparePaired(own, other, better);
  if (paired === null) return '';
  const { difference, low, high, numPairs, probabilityOfImprovement } = paired;
  return `${signed(difference)} [${signed(low)}, ${signed(high)}], better in ${+(probabilityOfImprovement * numPairs).toFixed(1)} of ${numPairs}`;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Charged steps to the first evaluation at least as good as what the first arm ends with; the whole budget where never. */
function stepsTo(run: KeptRun, threshold: number, better: 'higher' | 'lower'): number {
  const found = run.curve.find(([, score]) =>
    better === 'higher' ? score >= threshold : score <= threshold,
  );
  return found?.[0] ?? run.chargedSteps;
}

function endTable(study: KeptStudy, arms: readonly Arm[]): string {
  const [baseline] = arms;
  const random = arms.find(({ runs }) => runs[0]?.run.provider === 'random');
  const of = (arm: Arm | undefined) => (arm === undefined ? undefined : scoresOf(arm, objective));
  const threshold = interquartileMean([...(of(baseline)?.values() ?? [])]);
  const isSolvedKnown = arms.some(({ runs }) => runs.some(({ run }) => run.solved !== undefined));
  const rows = arms.map((arm) => {
    const own = scoresOf(arm, objective);
    const funnels = arm.runs.flatMap(({ run }) => run.proposals ?? []);
    const sum = (stage: keyof (typeof funnels)[0]) => funnels.reduce((total, each) => total + each[stage], 0);
    return [
      `\`${arm.name}\``,
      showScores(own),
      ...(isSolvedKnown ? [showScores(scoresOf(arm, ({ solved }) => solved))] : []),
      arm === baseline ? '' : showPaired(own, of(baseline), study.better),
      ...(random === undefined
        ? []
        : [arm === baseline || arm === random ? '' : showPaired(own, of(random), study.better)]),
      millions(meanOf(arm.runs.map(({ run }) => stepsTo(run, threshold, study.better)))),
      `${Math.round(meanOf(arm.runs.map(({ run }) => 100 * (1 - run.ownSteps / run.chargedSteps))))} %`,
      funnels.length === 0
        ? ''
        : (['asked', 'parsed', 'valid', 'tried', 'accepted', 'improved'] as const).map(sum).join(' → '),
    ];
  });
  return table(
    [
      'arm',
      'score at the end',
      ...(isSolvedKnown ? ['solved'] : []),
      `against \`${baseline?.name}\``,
      ...(random === undefined ? [] : ['against random changes']),
      `steps to ${show(threshold)}`,
      'trials',
      'asked → parsed → valid → tried → accepted → improved',
    ],
    rows,
  );
}

function heldOutTable(study: KeptStudy, arms: readonly Arm[]): string[] {
  const names = Object.keys(arms[0]?.runs[0]?.run.heldOut ?? {});
  if (names.length === 0) return [];
  const [baseline] = arms;
  const rows = arms.map((arm) => [
    `\`${arm.name}\``,
    ...names.map((name) => {
      const own = scoresOf(arm, (run) => run.heldOut[name]);
      const other =
        arm === baseline || baseline === undefined
          ? undefined
          : scoresOf(baseline, (run) => run.heldOut[name]);
      const paired = showPaired(own, other, study.better);
      return `${showScores(own)}${paired === '' ? '' : `; ${paired}`}`;
    }),
  ]);
  return ['', 'Held-out environments, which no arm trained in:', '', table(['arm', ...names], rows)];
}

/** The last score known at a step. */
const scoreAt = ({ curve }: KeptRun, step: number): number =>
  curve.findLast(([at]) => at <= step)?.[1] ?? Number.NaN;

function curveTable(arms: readonly Arm[]): string {
  const budget = Math.max(...arms.flatMap(({ runs }) => runs.map(({ run }) => run.chargedSteps)));
  const places = Array.from({ length: maxColumns }, (_, i) => ((i + 1) / maxColumns) * budget);
  return table(
    ['arm', ...places.map(millions)],
    arms.map(({ name, runs }) => [
      `\`${name}\``,
      ...places.map((step) => show(interquartileMean(runs.map(({ run }) => scoreAt(run, step))))),
    ]),
  );
}

function section(task: string): string {
  const study = readKept(task);
  const head = [
    `## ${task}`,
    '',
    introductionOf(task),
    '',
    `    npx node bench/evidence/measure.ts ${task}`,
    '',
  ];
  if (study === null) return [...head, 'Not measured yet.'].join('\n');
  const arms = armsOf(study);
  const minutes = study.seeds.flatMap((seed) => seed.minutes ?? []);
  const commits = [...new Set(study.seeds.map(({ commit }) => commit))].join(', ');
  const models = [...new Set(arms.flatMap(({ runs }) => runs.flatMap(({ run }) => run.model ?? [])))];
  const hashes = [...new Set(study.seeds.flatMap(({ modelHash }) => modelHash?.slice(0, 12) ?? []))];
  return [
    ...head,
    `\`${study.metric}\` of \`${study.group}\`, ${study.better} is better. Seeds ${study.seeds.map(({ seed }) => seed).join(', ')}; commits ${commits}; ` +
      `${minutes.length === 0 ? '' : `${Math.round(meanOf(minutes))} minutes a seed by the clock, with other work beside. `}` +
      (models.length === 0
        ? ''
        : `Model: ${models.join(', ')}${hashes.length === 0 ? '' : ` (SHA-256 ${hashes.join(', ')})`}.`),
    '',
    endTable(study, arms),
    ...heldOutTable(study, arms),
    '',
    'Interquartile means over seeds along charged steps:',
    '',
    curveTable(arms),
  ].join('\n');
}

writeFileSync(
  'docs/evidence/results.md',
  `${[
    '<!-- Generated by tools/generate-evidence.ts from docs/evidence/runs: edit experiments/evidence or measure. -->',
    '# Results of the evidence studies',
    '',
    'Scores are interquartile means over seeds with their brackets (the range of up to six seeds), differences are paired by seed; see',
    '[figures of a study](../experiments.md#figures-of-a-study). Steps to a threshold count the whole budget for runs that never got there.',
    ...listTasks().map((task) => `\n${section(task)}`),
  ].join('\n')}\n`,
);
