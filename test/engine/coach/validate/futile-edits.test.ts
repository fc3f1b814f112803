import { describe, expect, test } from 'vitest';
import { coachKinds } from '../../../../src/engine/coach/config.ts';
import { changesOf } from '../../../../src/engine/coach/enumerate/draft.ts';
import { enumerateEdits } from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import { findFutileEdits } from '../../../../src/engine/coach/validate/futile-edits.ts';
import { validateProposal } from '../../../../src/engine/coach/validate/validate-proposal.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { coachEdl, compiled, series, spreadText } from '../../../support/coach-world.ts';

/** Edits of some targets, and what is said of each: futile or not, and why the validator refuses it. */
async function judge(text: string, group: string, targets: RegExp) {
  const environment = compiled(text);
  const { recording } = playRandomly(createVecEnv, environment, group, 7);
  const objective = { metric: 'episode_return', group, better: 'higher' } as const;
  const options = { text, environment, objective, budgetSteps: 400_000, excluded: new Set<string>() };
  const catalogue = { may: coachKinds, catalogue: 2, stage: null } as const;
  const edits = await enumerateEdits(coachEdl, { ...options, ...catalogue });
  const isFutile = findFutileEdits(createVecEnv, environment, recording);
  return edits
    .filter(({ change }) => targets.test(change.target))
    .map((edit) => {
      const changes = [...changesOf(edit)];
      const candidate = compiled(edit.text);
      const { reasons } = validateProposal(
        { edl: coachEdl, createVecEnv },
        {
          ...{ text, environment, body: { analysis: '', changes, wishes: [] }, excluded: new Set() },
          ...{ recording, objective, series: series({}) },
        },
      );
      const codes = reasons.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      return { target: edit.change.target, isFutile: isFutile(candidate, changes), codes };
    });
}

describe('findFutileEdits', () => {
  test('finds the rules that the validator would refuse as without effect, and no others', async () => {
    const judged = await judge(spreadText, 'agent', /^rule /);
    for (const { isFutile, codes } of judged) expect(isFutile).toBe(codes.includes('noEffect'));
    const futile = new Set(judged.filter(({ isFutile }) => isFutile).map(({ target }) => target));
    // Nobody in simple_spread plays by boldness, and random play keeps below the top speed.
    expect([...futile].toSorted()).toEqual([
      'rule boldness_near_landmark',
      'rule boldness_near_others',
      'rule max_speed_near_landmark',
      'rule max_speed_near_others',
    ]);
    expect(judged.some(({ isFutile }) => !isFutile)).toBe(true);
  });

  test('finds additions that compute an undefined value', async () => {
    const foraging = 'environment f extends foraging {\n}\n';
    const judged = await judge(foraging, 'agent', /^reward (approach_food|keep_apart)$/);
    for (const { isFutile, codes } of judged) expect(isFutile).toBe(codes.includes('traps'));
    expect(new Set(judged.map(({ target, isFutile }) => `${target} ${isFutile}`))).toEqual(
      new Set(['reward approach_food true', 'reward keep_apart false']),
    );
  });

  test('plays nothing for what only changes or removes a reward, or sets a parameter', () => {
    const never = () => {
      throw new Error('it was played');
    };
    const environment = compiled();
    const { recording } = playRandomly(createVecEnv, environment, 'agent', 7);
    const isFutile = findFutileEdits(never, environment, recording);
    for (const op of ['modify', 'remove'] as const)
      expect(isFutile(environment, [{ op, target: 'reward crowding' }])).toBe(false);
    expect(isFutile(environment, [{ op: 'add', target: 'set agent.mass' }])).toBe(false);
    expect(() => isFutile(environment, [{ op: 'add', target: 'reward near' }])).toThrow('it was played');
  });

  test('without recorded steps nothing is known to be futile', () => {
    const isFutile = findFutileEdits(createVecEnv, compiled(), { steps: [] });
    expect(isFutile(compiled(), [{ op: 'add', target: 'rule slow' }])).toBe(false);
  });
});
