import { describe, expect, test } from 'vitest';
import { bindToRun } from '../../../src/engine/coach/in-force.ts';
import { shapingDefaults, undisciplined } from '../../../src/engine/coach/shaping/discipline.ts';
import { specOnTrial } from '../../../src/engine/coach/shaping/shaping-context.ts';
import type { ArmSpec } from '../../../src/engine/runs/experiment-types.ts';
import { readLoopState, type ShapingPlan, withPlan } from '../../../src/engine/runs/loop-state.ts';
import { disciplineOf, firstShaping, nextShaping, shapingAt } from '../../../src/engine/runs/shaping-plan.ts';
import { coachConfig, coachEdl, compiled, spreadText } from '../../support/coach-world.ts';
import { storeWithRun } from '../../support/store-records.ts';

const edl = bindToRun(coachEdl, { opponents: {}, stage: null, capacities: {} });
const compile = (text: string) => compiled(text);

function armWith(shaping = shapingDefaults, provider: ArmSpec['coach']['provider'] = 'rules'): ArmSpec {
  return {
    name: 'coached',
    environment: { path: null, text: spreadText, compiled: compiled() },
    coach: { ...coachConfig, provider, shaping },
  } as ArmSpec;
}

const removed = (() => {
  const result = edl.applyChanges(spreadText, [{ op: 'remove', target: 'reward crowding', edl: '' }]);
  if ('refused' in result) throw new Error(result.refused.message);
  return result;
})();

/** Plans round after round: what each applies, and the weights it ended with. */
function plans(rounds: readonly { text: string; ended: readonly number[] }[], arm = armWith()) {
  const store = storeWithRun();
  let plan: { textHash: string; shaping: ShapingPlan | null } = {
    textHash: store.texts.put(spreadText),
    shaping: firstShaping(store, arm, compiled()),
  };
  const made = [plan];
  for (const [i, { text, ended }] of rounds.entries()) {
    const report = { ownSteps: 1000 * (i + 1), shaping: { weights: ended, changedAt: 1000 * i } };
    const context = shapingAt(store, arm, plan, report, compile);
    const decided = { text, environment: compiled(text) };
    plan = { textHash: store.texts.put(text), shaping: nextShaping(store, edl, context, decided) };
    made.push(plan);
  }
  return { store, made };
}

describe('the shaping of a run’s plans', () => {
  test('begins with all that the text declares, and says nothing where there is no discipline', () => {
    const { made } = plans([]);
    expect(made[0]?.shaping?.components).toMatchObject([{ name: 'crowding', weight: 1, goal: 1 }]);
    expect(disciplineOf(armWith(undisciplined))).toBeNull();
    expect(disciplineOf(armWith(shapingDefaults, 'none'))).toBeNull();
    expect(disciplineOf(armWith({ ...undisciplined, share: 0.5 }))).not.toBeNull();
    expect(plans([], armWith(undisciplined)).made[0]?.shaping).toBeNull();
  });

  test('goes on from the weights that rounds ended with, over changes, and comes back to where it was', () => {
    const { made, store } = plans([
      { text: removed.text, ended: [1] },
      { text: removed.text, ended: [0.25] },
      { text: spreadText, ended: [0.125] },
    ]);
    const states = made.map(({ shaping }) =>
      shaping?.components.map(({ name, weight, goal, span }) => [name, weight, goal, span]),
    );
    expect(states).toEqual([
      [['crowding', 1, 1, 0]],
      [['crowding_fades', 1, 0, 1]],
      [['crowding_fades', 0.25, 0, 1]],
      [['crowding', 0.125, 1, 0.875]],
    ]);
    // While the text stays the copies go on: the same environment by its identity.
    expect(made[2]?.shaping?.identity).toBe(made[1]?.shaping?.identity);
    expect(made[3]?.shaping?.identity).toBe(compiled().identity);
    expect(store.texts.get(made[1]?.shaping?.textHash ?? '')).toContain('reward crowding_fades');
    expect(store.texts.get(made[1]?.textHash ?? '')).toBe(removed.text);
    expect(made.map(({ shaping }) => shaping?.changedAt)).toEqual([null, 0, 1000, 2000]);
  });

  test('is kept by a record as it is, to the last bit', () => {
    const { made } = plans([{ text: removed.text, ended: [0.1 + 0.2] }]);
    const plan = {
      ...{
        textHash: 'h',
        identity: 'i',
        trialSteps: 0,
        incumbent: null,
        question: null,
        rolledBackRound: null,
      },
      ...{ stage: null, move: null, shaping: made[1]?.shaping ?? null },
    };
    const stored = JSON.parse(JSON.stringify(withPlan(readLoopState(null), 0, plan)));
    expect(readLoopState(stored).plans[0]?.shaping).toEqual(made[1]?.shaping);
    const { shaping: _, ...older } = plan;
    expect(readLoopState({ ...stored, plans: [older] }).plans[0]?.shaping).toBeNull();
  });

  test('a trial trains the control on from the run’s weights and the candidate with the change at once', () => {
    const arm = armWith();
    const { store, made } = plans([{ text: removed.text, ended: [1] }], arm);
    const plan = made[1];
    if (plan === undefined) throw new Error('no plan');
    const report = { ownSteps: 2000, shaping: { weights: [0.5], changedAt: 1900 } };
    const context = shapingAt(store, arm, plan, report, compile);
    const control = specOnTrial(edl, context, removed);
    expect([...(control.shaping?.weights ?? [])]).toEqual([0.5]);
    expect(control.shaping?.course).toMatchObject({ smoothing: 0.2, changedAt: 1900 });
    const added = edl.applyChanges(removed.text, [
      { op: 'add', target: 'reward near', edl: 'reward near { for a in agent give 0.1 to a }' },
    ]);
    if ('refused' in added) throw new Error(added.refused.message);
    const candidate = specOnTrial(edl, context, added);
    expect(candidate.program?.components.map(({ name }) => name)).toEqual(['crowding_fades', 'near']);
    expect([...(candidate.shaping?.weights ?? [])]).toEqual([0.5, 1]);
    expect(candidate.shaping?.joint).toEqual({ components: [1], limit: compiled().manifest.nominalReturn });
    expect(specOnTrial(edl, null, added)).toBe(added.environment.spec);
  });
});
