import { expect, test } from 'vitest';
import { noTally } from '../../../support/edl-differential/lockstep.ts';
import { SeedRunner } from '../../../support/edl-differential/seeds.ts';

const numPrograms = 2000;
/** What constant folding may meet in a drawn program; such texts are rightly refused. */
const drawnRefusals = /^EDL(?:306|401|501|504|505) /;

test(`${numPrograms} generated programs run natively as the reference evaluator reads them (seeds 1 to ${numPrograms})`, {
  timeout: 120_000,
}, () => {
  const runner = new SeedRunner();
  const tally = noTally();
  let same = 0;
  for (let seed = 1; seed <= numPrograms; seed++) {
    const outcome = runner.run(seed, tally);
    if (outcome.type === 'different') expect.fail(`seed ${seed}, ${outcome.what}\n${outcome.text}`);
    if (outcome.type === 'refused') expect(outcome.errors.join('\n'), `seed ${seed}`).toMatch(drawnRefusals);
    else same++;
  }
  // The comparison means something only where most programs run and everything occurs.
  expect(same).toBeGreaterThan(0.85 * numPrograms);
  expect(tally.fired).toBeGreaterThan(50_000);
  expect(tally.traps).toBeGreaterThan(50);
  expect(tally.events).toBeGreaterThan(1000);
  expect(tally.regimeChanges).toBeGreaterThan(500);
  expect(tally.samples).toBeGreaterThan(20_000);
});
