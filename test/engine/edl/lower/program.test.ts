import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { parseText } from '../../../../src/engine/edl/parse.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { Draw, ProgramWriter, type Vocabulary } from '../../../support/edl-generator.ts';
import { ReferenceTrap, runRewards, runRules } from '../../../support/edl-reference.ts';
import { baseAttributes, readWorld } from '../../../support/edl-world.ts';
import { simHost } from '../../../support/sim-host.ts';

const spread: Vocabulary = {
  scenario: 'simple_spread',
  agentSets: ['agent'],
  agents: ['agent_0', 'agent_2'],
  landmarks: ['landmark_0', 'landmark_1'],
  writable: [
    { name: 'accel', unit: 'm/s^2' },
    { name: 'max_speed', unit: 'm/s' },
    { name: 'size', unit: 'm' },
  ],
};
const adversary: Vocabulary = {
  scenario: 'simple_adversary',
  agentSets: ['agent', 'good'],
  agents: ['adversary_0', 'agent_1'],
  landmarks: ['goal', 'landmark_0'],
  writable: [
    { name: 'accel', unit: 'm/s^2' },
    { name: 'max_speed', unit: 'm/s' },
  ],
};
const numEnvs = 5;
const host = simHost();

/** Constant folding may meet sqrt(-1) or x / 0 in a drawn program: those are rightly refused. */
const drawnRefusals = new Set(['EDL501', 'EDL505']);

function compiled(text: string) {
  const { environment, diagnostics } = compile(text, host);
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (errors.length > 0 && errors.every(({ code }) => drawnRefusals.has(code))) return null;
  const ast = parseText(text).ast;
  if (environment === null || ast === null)
    throw new Error(`${text}\n${errors.map((e) => `${e.code} ${e.message}`).join('\n')}`);
  return { environment, ast };
}

/** Steps a program natively and by the reference; returns how many steps trapped. Throws at the first difference. */
function compareOn(text: string, seed: number): { traps: number; fired: number } | null {
  const program = compiled(text);
  if (program === null) return null;
  const { environment, ast } = program;
  const env = createVecEnv(environment.spec, { numEnvs, seed: BigInt(seed), firstEpisode: 0 });
  const draw = new Draw(seed);
  const base = baseAttributes(env.manifest);
  const numBase = env.manifest.components.length;
  const total = { traps: 0, fired: 0 };
  env.reset(BigInt(seed), 0);
  for (let t = 0; t < 8; t++) {
    const before = Array.from({ length: numEnvs }, (_, e) => readWorld(env, e, base));
    env.step(Int32Array.from({ length: numEnvs * env.numAgents }, () => draw.below(5)));
    const trapped = new Set(env.takeTraps().map((trap) => trap.env));
    const fires = [...env.takeFireCounts()];
    const expectedFires = fires.map(() => 0);
    for (let e = 0; e < numEnvs; e++) {
      const what = `step ${t} copy ${e} of\n${text}`;
      try {
        const rules = runRules(ast, before[e] ?? readWorld(env, e, base), base);
        if (!trapped.has(e)) {
          const rewards = runRewards(ast, readWorld(env, e, rules.effective));
          [...rules.fired, ...rewards.fired].forEach((count, i) => {
            expectedFires[i] = (expectedFires[i] ?? 0) + count;
          });
          rewards.given.forEach((row, c) => {
            row.forEach((value, a) => {
              const at = (e * env.numAgents + a) * env.numComponents + numBase + c;
              expect(env.components[at], `component ${c} agent ${a} ${what}`).toBe(Math.fround(value));
            });
          });
        }
      } catch (thrown) {
        if (!(thrown instanceof ReferenceTrap)) throw thrown;
        expect(trapped.has(e), `a trap was expected at ${what}`).toBe(true);
      }
    }
    total.traps += trapped.size;
    total.fired += fires.reduce((sum, count) => sum + count, 0);
    if (trapped.size === 0) expect(fires, `fire counts of step ${t} of\n${text}`).toEqual(expectedFires);
  }
  env.dispose();
  return total;
}

describe('lowerEnvironment', () => {
  test.each([
    ['simple_spread', spread],
    ['simple_adversary', adversary],
  ])('runs 150 generated programs on %s as the reference evaluator does', (_, words) => {
    let run = 0;
    let fired = 0;
    let traps = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const result = compareOn(new ProgramWriter(seed, words).environment(), seed);
      if (result === null) continue;
      run++;
      fired += result.fired;
      traps += result.traps;
    }
    expect(run).toBeGreaterThan(130);
    expect(fired).toBeGreaterThan(5000);
    expect(traps).toBeGreaterThan(0);
  });
});
