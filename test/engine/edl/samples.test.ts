import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compile, type EdlHost } from '../../../src/engine/edl/index.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../src/shared/rl/vec-env.ts';
import { Draw } from '../../support/edl-generator/draw.ts';
import { simHost } from '../../support/sim-host.ts';

const folder = new URL('../../../resources/environments/', import.meta.url);
const host: EdlHost = {
  ...simHost(),
  text: (path) => ({ path, text: readFileSync(new URL(path, folder), 'utf8') }),
};

/** What is measured is not counted, and a constraint may well be kept. */
const mayBeIdle: ReadonlySet<string> = new Set(['metric', 'constraint']);

function environmentFrom(name: string) {
  const path = fileURLToPath(new URL(name, folder));
  const { environment, diagnostics } = compile(readFileSync(path, 'utf8'), host, path);
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return { environment, diagnostics };
}

/** Legal actions; where all of an agent's are, one of the first five, which are moves. */
function drawActions({ availActions, numActions }: VecEnv, draw: Draw): Int32Array {
  return Int32Array.from({ length: availActions.length / numActions }, (_, row) => {
    const mask = availActions.subarray(row * numActions, (row + 1) * numActions);
    const legal = [...mask.keys()].filter((action) => mask[action] === 1);
    const count = legal.length === numActions ? Math.min(5, numActions) : legal.length;
    return legal[draw.below(count)] ?? 0;
  });
}

describe('the sample environments', () => {
  test.each(readdirSync(folder))(
    '%s compiles without a warning and every block of it fires within 400 steps',
    (name) => {
      const { environment, diagnostics } = environmentFrom(name);
      expect(diagnostics).toEqual([]);
      const numEnvs = 16;
      const env = createVecEnv(environment.spec, { numEnvs, seed: 7n, firstEpisode: 0 });
      const draw = new Draw(7);
      env.reset(7n, 0);
      for (let t = 0; t < 400; t++) {
        env.step(drawActions(env, draw));
      }
      const declared = environment.spec.program?.declarations ?? [];
      const fired = [...env.takeFireCounts()];
      expect(env.takeTraps()).toEqual([]);
      expect(fired).toHaveLength(declared.length);
      const idle = declared.filter(({ kind }, i) => fired[i] === 0 && !mayBeIdle.has(kind));
      expect(idle.map(({ kind, name }) => `${kind} ${name}`)).toEqual([]);
      env.dispose();
    },
  );

  test('the evaluation environments add nothing to their scenario', () => {
    for (const name of ['spread-eval.edl', 'adversary-eval.edl']) {
      const { environment } = environmentFrom(name);
      expect([environment.spec.program, environment.spec.parameters]).toEqual([null, {}]);
    }
  });

  test('the planted reward outweighs the base reward of standing on a landmark', () => {
    const { environment } = environmentFrom('spread.edl');
    const env = createVecEnv(
      { ...environment.spec, scripted: { agent: 'greedy' } },
      { numEnvs: 32, seed: 3n, firstEpisode: 0 },
    );
    env.reset(3n, 0);
    const shaping = env.componentNames.indexOf('crowding');
    let planted = 0;
    let base = 0;
    for (let t = 0; t < 24; t++) {
      env.step(new Int32Array(32 * env.numAgents));
      for (let row = 0; row < 32 * env.numAgents; row++) {
        planted += env.components[row * env.numComponents + shaping] ?? 0;
        base +=
          (env.components[row * env.numComponents] ?? 0) + (env.components[row * env.numComponents + 1] ?? 0);
      }
    }
    expect(planted).toBeLessThan(base);
    env.dispose();
  });
});
