/**
 * Compares the native machine with the reference evaluator on generated programs, by the hundred thousand.
 *
 *   node tools/check-evaluators.ts [--from 1] [--count 100000] [--scenario NAME]
 *
 * Prints where it is every ten seconds, so that a run that was ended goes on with --from. At the first difference it prints the seed
 * and the smallest text that shows it, and exits with 1.
 */
import { parseArgs } from 'node:util';
import { noTally } from '../test/support/edl-differential/lockstep.ts';
import { minimise } from '../test/support/edl-differential/minimise.ts';
import { SeedRunner } from '../test/support/edl-differential/seeds.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    scenario: { type: 'string' },
  },
});
const first = Number(values.from);
const end = first + Number(values.count);
const runner = new SeedRunner(values.scenario === undefined ? undefined : [values.scenario]);
const tally = noTally();
const started = performance.now();
let lastReport = started;
let numRefused = 0;
let last = first;

function report(seed: number): void {
  const rate = Math.round((1000 * (seed - first)) / (performance.now() - started));
  const seen = Object.entries(tally).map(([name, count]) => `${count} ${name}`);
  console.log(`up to seed ${seed}: ${numRefused} refused, ${seen.join(', ')}, ${rate} programs/s`);
}

function explain(seed: number, what: string, text: string): void {
  const smallest = minimise(text, (candidate) => {
    const outcome = runner.runText(candidate, seed, noTally());
    return outcome.type === 'different';
  });
  const outcome = runner.runText(smallest, seed, noTally());
  console.log(`seed ${seed}: ${what}\n\nSmallest text that differs:\n${smallest}`);
  if (outcome.type === 'different') console.log(outcome.what);
}

for (let seed = first; seed < end; seed++) {
  last = seed;
  const outcome = runner.run(seed, tally);
  if (outcome.type === 'refused') numRefused++;
  if (outcome.type === 'different') {
    explain(seed, outcome.what, outcome.text);
    process.exitCode = 1;
    break;
  }
  if (performance.now() - lastReport > 10_000) {
    report(seed);
    lastReport = performance.now();
  }
}
report(last);
