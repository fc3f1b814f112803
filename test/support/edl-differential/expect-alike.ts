import { expect } from 'vitest';
import { noTally } from './lockstep.ts';
import { SeedRunner } from './seeds.ts';

/**
 * What checks may meet in a drawn program: such texts are rightly refused. EDL404 is the scenario's word on settings that
 * do not go together, such as a least level above the greatest: values are drawn one by one.
 */
const drawnRefusals = /^EDL(?:306|401|404|501|504|505) /;

/** A thousand generated programs, from a seed on, run natively as the reference evaluator reads them. */
export function expectThousandAlike(first: number): void {
  const runner = new SeedRunner();
  const tally = noTally();
  let same = 0;
  for (let seed = first; seed < first + 1000; seed++) {
    const outcome = runner.run(seed, tally);
    if (outcome.type === 'different') expect.fail(`seed ${seed}, ${outcome.what}\n${outcome.text}`);
    if (outcome.type === 'refused') expect(outcome.errors.join('\n'), `seed ${seed}`).toMatch(drawnRefusals);
    else same++;
  }
  // The comparison means something only where most programs run and everything occurs.
  expect(same).toBeGreaterThan(850);
  expect(tally.fired).toBeGreaterThan(25_000);
  expect(tally.traps).toBeGreaterThan(25);
  expect(tally.events).toBeGreaterThan(1000);
  expect(tally.regimeChanges).toBeGreaterThan(300);
  expect(tally.samples).toBeGreaterThan(20_000);
  expect(tally.states).toBeGreaterThan(300);
  expect(tally.nobodies).toBeGreaterThan(1000);
  expect(tally.infinities).toBeGreaterThan(1000);
  expect(tally.undefinedValues).toBeGreaterThan(500);
  expect(tally.infiniteExtrema).toBeGreaterThan(5);
  expect(tally.certainNpcs).toBeGreaterThan(20);
  expect(tally.pinned).toBeGreaterThan(20);
}
