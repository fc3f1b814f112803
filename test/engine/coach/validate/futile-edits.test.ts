import { describe, expect, test } from 'vitest';
import { coachKinds } from '../../../../src/engine/coach/config.ts';
import { changesOf } from '../../../../src/engine/coach/enumerate/draft.ts';
import { enumerateEdits } from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import { findFutileEdits } from '../../../../src/engine/coach/validate/futile-edits.ts';
import { validateProposal } from '../../../../src/engine/coach/validate/validate-proposal.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { ProposedChange } from '../../../../src/shared/contract/coach.ts';
import { coachEdl, compiled, series, spreadText } from '../../../support/coach-world.ts';
import { proposalBody } from '../../../support/store-records.ts';

/** Edits of some targets, and what is said of each: futile or not, and why the validator refuses it. */
async function judge(text: string, group: string, targets: RegExp) {
  const environment = compiled(text);
  const { recording } = playRandomly(createVecEnv, environment, group, 7);
  const objective = { metric: 'episode_return', group, better: 'higher' } as const;
  const options = { text, environment, objective, budgetSteps: 400_000, excluded: new Set<string>() };
  const edits = await enumerateEdits(coachEdl, { ...options, may: coachKinds, stage: null });
  const isFutile = findFutileEdits(createVecEnv, environment, recording, series({}));
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
    const environment = compiled(foraging);
    const { recording } = playRandomly(createVecEnv, environment, 'agent', 7);
    const isFutile = findFutileEdits(createVecEnv, environment, recording, series({}));
    const judgeReward = (name: string, guard: string) => {
      const edl = `reward ${name} { for a in agent ${guard} give -0.001 * distance(a, nearest(food)) / 1 m to a }`;
      const changes = [
        { ...proposalBody.changes[0], op: 'add', target: `reward ${name}`, edl } as ProposedChange,
      ];
      const applied = coachEdl.applyChanges(foraging, changes);
      return 'refused' in applied ? null : isFutile(applied.environment, changes);
    };
    // Where all foods are loaded, the nearest is infinitely far away.
    expect(judgeReward('unguarded', '')).toBe(true);
    expect(judgeReward('guarded', 'when any(f in food)')).toBe(false);
  });

  test('plays nothing for what only changes or removes a reward, or sets a parameter', () => {
    const never = () => {
      throw new Error('it was played');
    };
    const environment = compiled();
    const { recording } = playRandomly(createVecEnv, environment, 'agent', 7);
    const isFutile = findFutileEdits(never, environment, recording, series({}));
    for (const op of ['modify', 'remove'] as const)
      expect(isFutile(environment, [{ op, target: 'reward crowding' }])).toBe(false);
    expect(isFutile(environment, [{ op: 'add', target: 'set agent.mass' }])).toBe(false);
    expect(() => isFutile(environment, [{ op: 'add', target: 'reward near' }])).toThrow('it was played');
  });

  test('finds stages that would end at once or never, by what was measured', () => {
    const changes = [{ op: 'add', target: 'stage near' }] as const;
    const judgeStage = (until: string, measured: readonly number[]) => {
      const staged = compiled(
        `environment e extends simple_spread { stage near { until ${until} for 2 evaluations } stage far { } }\n`,
      );
      const known = series({ 'eval/metric/success': measured });
      return findFutileEdits(createVecEnv, compiled(), { steps: [] }, known)(staged, changes);
    };
    expect(judgeStage('success > 50%', [0.2, 0.6, 0.7])).toBe(true);
    expect(judgeStage('success > 50%', [0.7, 0.6, 0.2])).toBe(false);
    expect(judgeStage('success > 150%', [])).toBe(true);
    expect(judgeStage('success > 50%', [])).toBe(false);
  });

  test('without recorded steps nothing is known to be futile', () => {
    const isFutile = findFutileEdits(createVecEnv, compiled(), { steps: [] }, series({}));
    expect(isFutile(compiled(), [{ op: 'add', target: 'rule slow' }])).toBe(false);
  });
});
