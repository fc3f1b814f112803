// What the declarations of an environment cost in a step of three agents: the twenty of a rich environment together, as
// a share of an env-step of training too, and by kind; and one rule over all ordered pairs of agents. Each figure is the
// median of several measurements in which stepping with and without the program take turns. Trained env-steps/s are what
// `npm run bench train-throughput` found last on such a machine, or `node bench/edl-cost.ts --trained <n>`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from '../src/engine/edl/index.ts';
import { measureSpeed, scenarioManifest, scenarioNames } from '../src/engine/sim/index.ts';
import { type Figure, median, printReport } from './figure.ts';
import { keptFigure } from './kept-figure.ts';

const repetitions = 5;
const seconds = 1.5;
const numEnvs = 1024;
const numPairwise = 16;
/** Percent of what an env-step of training takes. */
const largestShare = 3;

const host = { manifest: scenarioManifest, scenarioNames };

/** What the language itself makes of a rule over pairs: one distance, one comparison, one effect for each of six pairs. */
const pairwise = `environment pairwise extends simple_spread {
${Array.from(
  { length: numPairwise },
  (_, i) => `  rule near_${i} {
    for a in agent
    for b in other(a)
    when distance(a, b) < ${0.2 + i / 20} m
    then a.accel *= 0.9
  }`,
).join('\n')}
}`;

async function measure(text: string) {
  const { environment, diagnostics } = compile(text, host);
  if (environment === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  const measured = [];
  for (let i = 0; i < repetitions; i++) {
    const { program } = await measureSpeed({ spec: environment.spec, numEnvs, seconds });
    if (program === null) throw new Error('the environment has no program');
    measured.push(program);
  }
  return measured;
}

const file = join(import.meta.dirname, '../resources/environments/twenty-rules.edl');
const twenty = await measure(readFileSync(file, 'utf8'));
const pairs = await measure(pairwise);

const { values } = parseArgs({ options: { trained: { type: 'string' } } });
const trained =
  values.trained === undefined
    ? keptFigure('train-throughput', 'trained env-steps, IPPO simple_spread')
    : Number(values.trained);
const added = median(twenty.map((each) => each.addedNanoseconds));
const shares: Figure[] = [];
if (trained !== null && trained > 0) {
  shares.push({
    name: `twenty-rules, all twenty, share of an env-step at ${Math.round(trained)} trained/s`,
    value: ((added * trained) / 1e9) * 100,
    unit: '%',
    aim: { atMost: largestShare },
  });
} else {
  process.stderr.write(
    '  no share of training: run `npm run bench train-throughput` first, or pass --trained <env-steps/s>\n',
  );
}

const figure = (name: string, value: number, atMost?: number): Figure => ({
  name,
  value,
  unit: 'ns/env-step',
  ...(atMost === undefined ? {} : { aim: { atMost } }),
});
const declarations = (twenty[0]?.declarations ?? []).map((declaration, i) => ({
  ...declaration,
  nanoseconds: median(twenty.map((each) => each.declarations[i]?.nanoseconds ?? 0)),
}));
const kinds = [...new Set(declarations.map(({ kind }) => kind))].map((kind) => {
  const own = declarations.filter((each) => each.kind === kind).map(({ nanoseconds }) => nanoseconds);
  return figure(
    `a ${kind} of twenty-rules, own instructions, mean`,
    own.reduce((a, b) => a + b) / own.length,
  );
});

printReport({
  figures: [
    figure('twenty-rules, all twenty', added),
    ...shares,
    figure('twenty-rules, what they share', median(twenty.map((each) => each.sharedNanoseconds))),
    figure(
      'a pairwise rule (6 pairs of 3 agents), everything it takes',
      median(pairs.map((each) => each.addedNanoseconds)) / numPairwise,
      15,
    ),
    ...kinds,
  ],
  detail: { declarations, twenty: twenty.map((each) => each.addedNanoseconds) },
});
