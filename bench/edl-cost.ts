// What the declarations of an environment cost in a step of three agents: the twenty of a rich environment together and
// by kind, and one rule over all ordered pairs of agents. Each figure is the median of several measurements in which
// stepping with and without the program take turns.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../src/engine/edl/index.ts';
import { measureSpeed, scenarioManifest, scenarioNames } from '../src/engine/sim/index.ts';
import { type Figure, median, printReport } from './figure.ts';

const repetitions = 5;
const seconds = 1.5;
const numEnvs = 1024;
const numPairwise = 16;
/** 3 % of what a trained env-step takes, about 15 microseconds. */
const mostAdded = 465;

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
    figure('twenty-rules, all twenty', median(twenty.map((each) => each.addedNanoseconds)), mostAdded),
    figure('twenty-rules, what they share', median(twenty.map((each) => each.sharedNanoseconds))),
    figure(
      'a rule over 6 pairs, everything it takes',
      median(pairs.map((each) => each.addedNanoseconds)) / numPairwise,
      15,
    ),
    ...kinds,
  ],
  detail: { declarations, twenty: twenty.map((each) => each.addedNanoseconds) },
});
