import { describe, expect, test } from 'vitest';
import { streamSeed } from '../../../src/engine/train/seeds.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { toyDependencies } from '../../support/toy/toy-learner.ts';
import { SessionProbe, toyInit, toySpec } from '../../support/toy/toy-session.ts';

const heldOut = [
  { name: 'plain', environment: toySpec() },
  { name: 'biased', environment: toySpec(0.5) },
];

async function trained(init: Parameters<typeof toyInit>[1]) {
  const probe = new SessionProbe();
  await probe.init(toyInit(temporaryFolder(), init));
  const first = await probe.train(0, 100);
  const second = await probe.train(1, 200, { chargedOffset: 40 });
  return { points: probe.points(), reports: [first, second] };
}

describe('held-out scores', () => {
  test('are taken at the end of every round, in each environment', async () => {
    const { points } = await trained({ heldOut });
    const own = points.filter(({ key }) => key.startsWith('eval/held_out/'));
    expect(own.map(({ key, step }) => `${key} ${step}`)).toEqual([
      'eval/held_out/plain 100',
      'eval/held_out/biased 100',
      'eval/held_out/plain 240',
      'eval/held_out/biased 240',
    ]);
  });

  test('are of the environment named, in episodes of their own', async () => {
    const made: { bias: number | undefined; seed: bigint }[] = [];
    const probe = new SessionProbe({
      createVecEnv(spec, options) {
        made.push({ bias: spec.parameters.bias, seed: options.seed });
        return toyDependencies.createVecEnv(spec, options);
      },
    });
    await probe.init(toyInit(temporaryFolder(), { heldOut }));
    await probe.train(0, 100, { bias: 0.2 });
    expect(made.filter(({ bias }) => bias === 0.5)).toEqual([{ bias: 0.5, seed: streamSeed(7, 'heldOut') }]);
    expect(streamSeed(7, 'heldOut')).not.toBe(streamSeed(7, 'objective'));
  });

  test('are the same after a kill at the end of a round, and not told twice', async () => {
    const directory = temporaryFolder();
    const init = { heldOut };
    const whole = new SessionProbe();
    await whole.init(toyInit(directory, init));
    const { checkpoint } = await whole.train(0, 100);
    await whole.train(1, 200);
    const resumed = new SessionProbe();
    const ready = await resumed.init(toyInit(directory, { ...init, checkpoint: checkpoint.file }));
    expect(ready.sequence).toBe(checkpoint.sequence);
    await resumed.train(1, 200);
    const first = resumed.events.find((event) => event.type === 'metrics');
    expect(first).toMatchObject({ firstSequence: checkpoint.sequence });
    const after = resumed.events.flatMap((event) => (event.type === 'metrics' ? event.points : []));
    expect(after).toEqual(whole.points().slice(checkpoint.sequence));
    expect(after.filter(({ key }) => key.startsWith('eval/held_out/'))).toHaveLength(heldOut.length);
  });

  test('change nothing else, and their steps are counted as evaluation', async () => {
    const [plain, scored] = [await trained({}), await trained({ heldOut })];
    expect(scored.points.filter(({ key }) => !key.startsWith('eval/held_out/'))).toEqual(plain.points);
    const figures = (run: typeof plain) =>
      run.reports.map(({ parameterHash, chargedSteps, objective }) => ({
        parameterHash,
        chargedSteps,
        objective,
      }));
    expect(figures(scored)).toEqual(figures(plain));
    const [before = 0, after = 0] = [plain, scored].map(({ reports }) => reports[1]?.evaluationSteps);
    // Two environments, 16 episodes each, as long as those of the objective.
    expect(after).toBe(before + (2 * before) / evaluationsOf(plain.points, 100, 240));
  });
});

/** Evaluations of the objective in a round. */
function evaluationsOf(points: readonly { key: string; step: number }[], from: number, to: number): number {
  return points.filter(({ key, step }) => key === 'eval/objective' && step > from && step <= to).length;
}
