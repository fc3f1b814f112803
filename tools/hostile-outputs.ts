/**
 * Gives the coach malformed and hostile outputs of a model, and looks at everything that it takes for valid.
 *
 *   npx node tools/hostile-outputs.ts [--count 10000] [--seed 1] [--from 0]
 *
 * Outputs are drawn by number: cut and mistyped JSON, unknown and forbidden names, prompt injection in names and prose, gigantic
 * numbers, control characters, endless white space, broken EDL, and sound ones among them. They are answers at round
 * boundaries of the whole pipeline, whose first valid proposal is applied untried. Exits with 1 at the first crash, and at
 * the first change that should not have passed; the message names the outputs.
 */
import { parseArgs } from 'node:util';
import { tryHostile } from '../test/support/hostile-trial.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
});

const count = Number(values.count);
const first = Number(values.from);
const states = new Map<string, number>();
let given = 0;
let applied = 0;
const began = performance.now();
try {
  while (given < count) {
    const result = await tryHostile(Number(values.seed), first + given);
    given += result.given;
    applied += result.applied;
    for (const [state, some] of Object.entries(result.states))
      states.set(state, (states.get(state) ?? 0) + some);
    process.stderr.write(`\r${given} of ${count}`);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const told = [...states].map(([state, some]) => `${some} ${state}`).join(', ');
  process.stdout.write(
    `\n${given} outputs in ${seconds} s: ${told}; ${applied} applied; none crashed, none got an invalid change through\n`,
  );
} catch (thrown) {
  process.stderr.write(`\n${(thrown as Error).stack}\n`);
  process.exitCode = 1;
}
