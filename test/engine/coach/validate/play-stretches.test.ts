import { describe, expect, test } from 'vitest';
import { exampleOf, firedBy, playStretches } from '../../../../src/engine/coach/validate/play-stretches.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { compiled, roundContext, spreadText } from '../../../support/coach-world.ts';

const recording = await roundContext().readRecording();
const numSteps = recording.stretches.reduce((sum, { steps }) => sum + steps.length, 0);
const play = (text: string) => playStretches(createVecEnv, compiled(text), recording);
const withDeclaration = (declaration: string) =>
  spreadText.replace('reward crowding', `${declaration}\n  reward crowding`);

/** [N,S] as recorded: the states before the second step of each stretch on. */
function recordedStates(): { step: number; state: Float32Array }[] {
  const env = createVecEnv(compiled().spec, { numEnvs: 1, seed: 0n, firstEpisode: 0 });
  let first = 0;
  const states = recording.stretches.flatMap(({ steps }) => {
    const own = steps.slice(1).map(({ snapshot }, offset) => {
      env.restore(0, snapshot);
      return { step: first + offset, state: env.state.slice() };
    });
    first += steps.length;
    return own;
  });
  env.dispose();
  return states;
}

describe('playStretches', () => {
  test('under the program that was recorded, every step leads to the state that was', () => {
    const { states, stateDim, numSteps: played } = play(spreadText);
    expect(played).toBe(numSteps);
    const known = recordedStates();
    expect(known.length).toBeGreaterThan(500);
    for (const { step, state } of known) {
      expect(states.subarray(step * stateDim, (step + 1) * stateDim)).toEqual(state);
    }
  });

  test('sees what lasts: a condition that speaks of steps before', () => {
    const gust = 'event gust { at step 10 disturb push agent_0 by 1 m/s }';
    const played = play(
      withDeclaration(`${gust}\n  reward braced { for a in agent when recent(gust, 5 steps) give 0.1 to a }`),
    );
    const gusts = firedBy(played, 'event gust') ?? new Float64Array();
    const braced = firedBy(played, 'reward braced') ?? new Float64Array();
    const happened = [...gusts.keys()].filter((step) => gusts[step] === 1);
    expect(happened.length).toBeGreaterThan(10);
    for (const step of happened) expect(braced[step + 3]).toBe(3);
  });

  test('tells what fired and paid in each step', () => {
    const played = play(spreadText);
    const fired = firedBy(played, 'reward crowding') ?? new Float64Array();
    const column = played.numComponents - 1;
    for (let step = 0; step < played.numSteps; step++) {
      let paid = 0;
      for (let agent = 0; agent < 3; agent++)
        paid += played.components[(step * 3 + agent) * played.numComponents + column] ?? 0;
      expect(-paid).toBeCloseTo(fired[step] ?? 0, 6);
    }
    expect(firedBy(played, 'reward absent')).toBeNull();
  });

  test('knows how episodes ended that end in the record', () => {
    const ended = play(spreadText).stretches.filter(({ success }) => success !== null);
    expect(ended.length).toBeGreaterThan(10);
    expect(Object.keys(ended[0]?.success ?? {})).toEqual(['agent_0', 'agent_1', 'agent_2']);
  });

  test('names steps as they are found in the record', () => {
    const played = play(spreadText);
    const [first, second] = played.stretches;
    if (first === undefined || second === undefined) throw new Error('no stretches');
    expect(exampleOf(played, second.first + 2, second.first + 4)).toEqual([
      { round: 0, copy: second.copy, from: second.time + 2, to: second.time + 4 },
    ]);
    // What would lead into the next stretch ends with its own.
    expect(exampleOf(played, first.first, second.first + 1)).toEqual([
      { round: 0, copy: first.copy, from: first.time, to: first.time + first.length - 1 },
    ]);
  });
});
