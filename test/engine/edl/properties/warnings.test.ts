import { describe, expect, test } from 'vitest';
import { checkText } from '../../../../src/engine/edl/check-text.ts';
import { compile } from '../../../../src/engine/edl/compile.ts';
import type { CompiledEnvironment } from '../../../../src/engine/edl/types.ts';
import { createVecEnv, scenarioManifest, scenarioNames } from '../../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { SeedRunner } from '../../../support/edl-differential/seeds.ts';
import { actionsFor } from '../../../support/edl-episodes.ts';
import { cachedHost } from '../../../support/edl-fuzz/fuzz-case.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { ExpressionWriter } from '../../../support/edl-generator/expressions.ts';
import { vocabularyOf } from '../../../support/edl-generator/vocabulary.ts';

const numEnvs = 4;
const numSteps = 12;
const copies = Array.from({ length: numEnvs }, (_, e) => e);
const host = cachedHost();
const runner = new SeedRunner();

/** Generated programs that can be compiled, with what the checker says of them. */
function* programs(from: number, count: number) {
  for (let seed = from; seed < from + count; seed++) {
    const text = runner.textOf(seed);
    const { environment, diagnostics } = compile(text, host);
    if (environment !== null) yield { seed, text, environment, diagnostics };
  }
}

/** Plays some steps of every copy; episodes end with the last. */
function play(environment: CompiledEnvironment, seed: number): VecEnv {
  const { spec } = environment;
  const parameters = { ...spec.parameters, 'episode.length': numSteps };
  const env = createVecEnv({ ...spec, parameters }, { numEnvs, seed: 5n, firstEpisode: 0 });
  env.reset(5n, 0);
  for (let step = 0; step < numSteps; step++) env.step(actionsFor(env, seed, step, copies));
  return env;
}

/** A reward that divides by what the state comes to, behind a condition that rules 0 out or does not. */
function dividing(seed: number): { readonly text: string; readonly isGuarded: boolean } {
  const manifest = scenarioManifest(scenarioNames()[seed % scenarioNames().length] ?? '', {});
  const draw = new Draw(seed);
  const words = vocabularyOf(manifest);
  const writer = new ExpressionWriter(draw, words);
  const scope = { subjects: words.subjects, events: [], self: null, depth: 3, fresh: { count: 0 } };
  const divisor = writer.quantity(scope, 'none');
  const other = writer.condition(scope);
  const guards = [
    `${divisor} > 0`,
    `${divisor} != 0 and (${other})`,
    `not (abs(${divisor}) < 0.1 or (${other}))`,
  ];
  const isGuarded = draw.once(2);
  const when = isGuarded
    ? draw.pick(guards)
    : draw.pick([other, `${divisor} >= 0`, `${divisor} > 0 or (${other})`]);
  const [group] = manifest.groups;
  const reward = `reward r { when ${when} give 1 / (${divisor}) to ${group?.name} }`;
  return { text: `environment e extends ${manifest.name} { ${reward} }`, isGuarded };
}

describe('bounds that the checker goes by', () => {
  test('hold for every metric of generated programs (seeds 5000 to 5079)', () => {
    let numBounded = 0;
    for (const { seed, text, environment } of programs(5000, 80)) {
      const { checked } = checkText(text, host);
      const own = new Set(environment.metrics.map(({ name }) => name));
      const env = play(environment, seed);
      env.metrics.forEach(({ name }, c) => {
        const bounds = checked?.elaborated.metrics.get(name);
        if (!own.has(name) || bounds === undefined) return;
        for (let i = c; i < env.episodeMetrics.length; i += env.metrics.length) {
          const value = env.episodeMetrics[i] ?? Number.NaN;
          if (Number.isNaN(value)) continue;
          if (Number.isFinite(bounds.max)) numBounded++;
          const slack = 1e-9 * Math.max(1, Math.abs(value));
          expect(value, `${seed}: ${name}`).toBeGreaterThanOrEqual(bounds.min - slack);
          expect(value, `${seed}: ${name}`).toBeLessThanOrEqual(bounds.max + slack);
        }
      });
      env.dispose();
    }
    expect(numBounded).toBeGreaterThan(200);
  });

  test('let nothing divide by 0 unwarned, and what is guarded is not warned of (seeds 1 to 200)', () => {
    let numTrapped = 0;
    let numGuarded = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { text, isGuarded } = dividing(seed);
      const { environment, diagnostics } = compile(text, host);
      if (environment === null) continue;
      const isWarned = diagnostics.some(({ code }) => code === 'EDL517');
      const env = play(environment, seed);
      const isTrapped = env.takeTraps().some(({ reason }) => reason === 'division');
      env.dispose();
      if (isTrapped) {
        numTrapped++;
        expect(isWarned, text).toBe(true);
      }
      const isOnlyDivision = text.indexOf('/') === text.lastIndexOf('/');
      if (isGuarded && isOnlyDivision) {
        numGuarded++;
        expect(isWarned, text).toBe(false);
      }
    }
    expect(numTrapped).toBeGreaterThan(10);
    expect(numGuarded).toBeGreaterThan(10);
  });
});
