import { expect, test } from 'vitest';
import { cpuMs } from '../../../support/cpu-time.ts';
import { cachedHost, fuzzCase, longestMs } from '../../../support/edl-fuzz/fuzz-case.ts';
import { FuzzTexts } from '../../../support/edl-fuzz/texts.ts';

const seconds = 10;
const atLeast = 300;

test(`mutated texts are answered or run, for ${seconds} seconds (seeds from 1)`, { timeout: 60_000 }, () => {
  const texts = new FuzzTexts();
  const host = cachedHost();
  const started = performance.now();
  let ran = 0;
  let seed = 1;
  for (; seed <= atLeast || performance.now() - started < 1000 * seconds; seed++) {
    const text = texts.textOf(seed);
    const took = cpuMs(() => {
      try {
        if (fuzzCase(text, seed, host) === 'ran') ran++;
      } catch (thrown) {
        expect.fail(`seed ${seed}: ${String(thrown)}\n${text}`);
      }
    });
    expect(took, `seed ${seed}\n${text}`).toBeLessThan(longestMs);
  }
  // Both sides of the checker were met.
  expect(ran).toBeGreaterThan(seed / 10);
  expect(ran).toBeLessThan(0.9 * seed);
});
