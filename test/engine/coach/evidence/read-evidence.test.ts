import { describe, expect, test } from 'vitest';
import { type EvidenceSources, readEvidence } from '../../../../src/engine/coach/evidence/read-evidence.ts';
import { bindToLearner } from '../../../../src/engine/coach/in-force.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { writeRecord } from '../../../../src/engine/train/record-file.ts';
import { shapesOf } from '../../../../src/shared/rl/frame.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { insertProposal, storeWithRun } from '../../../support/store-records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Two copies of three agents, 30 steps each, in which everybody goes left; an episode has 25. */
function recorded() {
  const env = createVecEnv(compiled().spec, { numEnvs: 2, seed: 1n, firstEpisode: 0 });
  env.reset(1n, 0);
  const steps: { snapshot: Uint8Array; actions: Int32Array }[] = [];
  const begins: number[] = [];
  for (let time = 0; time < 30; time++) {
    for (const copy of [0, 1]) {
      if (time > 0 && env.truncated[copy] !== 0) begins.push(steps.length);
      steps.push({ snapshot: env.snapshot(copy), actions: Int32Array.of(1, 1, 1) });
    }
    env.step(new Int32Array(6).fill(1));
  }
  env.dispose();
  return { steps, begins };
}

function setUp(after: string | null): EvidenceSources {
  const root = temporaryFolder();
  const store = storeWithRun();
  const { steps, begins } = recorded();
  const header = { scenario: 'simple_spread', environmentIdentity: '', round: 0, numAgents: 3 };
  const record = writeRecord(root, { ...header, numCopies: 2, begins }, steps);
  const texts = { environmentHash: store.texts.put(spreadText), environmentIdentity: '' };
  store.rounds.begin({ runId: 'r1', round: 0, startedAt: 1, ...texts });
  store.rounds.finish('r1', 0, {
    ownSteps: 1,
    chargedSteps: 1,
    objective: 0,
    parameterHash: '',
    checkpointFile: '',
    recordFile: record,
    report: { record },
    finishedAt: 2,
  });
  insertProposal(store, { beforeHash: store.texts.put(spreadText) });
  store.proposals.answer('p1', {
    answerHash: null,
    isComposed: false,
    body: null,
    afterHash: after === null ? null : store.texts.put(after),
    details: null,
    state: 'invalid',
  });
  return { store, envsOf: () => createVecEnv, edlOf: () => coachEdl, directoryOf: () => root };
}

const asked = { proposalId: 'p1', round: 0, copy: 1, from: 22, to: 27 };
const paying = spreadText.replace('give -1', 'give -7').replace('0.4 m', '50 m');

describe('readEvidence', () => {
  test('shows the recorded states, who did what, and what the proposed environment makes of it', () => {
    const view = readEvidence(setUp(paying), asked);
    expect(view).toMatchObject({
      scenario: 'simple_spread',
      numCopies: 2,
      numTimes: 30,
      agents: ['agent_0', 'agent_1', 'agent_2'],
      components: ['coverage', 'collision', 'crowding'],
      declarations: ['reward crowding'],
    });
    expect(view.steps.map(({ time, isFirst }) => [time, isFirst])).toEqual([
      [22, false],
      [23, false],
      [24, false],
      [25, true],
      [26, false],
      [27, false],
    ]);
    for (const step of view.steps) {
      expect(step.actions).toEqual(['left', 'left', 'left']);
      expect(step.fired).toEqual({ 'reward crowding': 3 });
      expect([2, 5, 8].map((i) => step.components[i])).toEqual([-7, -7, -7]);
    }
    // What is drawn is what was recorded: each agent where its state says, with the other two and three landmarks.
    expect(view.cast).toMatchObject({ teams: ['agent'], numAgents: 3 });
    for (const { state, frame } of view.steps) {
      const agents = shapesOf(frame).filter(({ kind, entity }) => kind === 'disc' && (entity ?? 9) < 3);
      expect(agents).toHaveLength(3);
      expect(agents[0]?.x).toBeCloseTo(state[2] ?? Number.NaN, 5);
    }
    // Everybody goes left: the first agent's x falls while the episode lasts.
    const xs = view.steps.map(({ state }) => state[2] ?? Number.NaN);
    expect(xs[1]).toBeLessThan(xs[0] ?? Number.NaN);
    expect(xs[3]).not.toBeCloseTo(xs[2] ?? Number.NaN);
  });

  test('where the proposal leads nowhere, in the environment it was asked about', () => {
    for (const after of [null, 'nonsense']) {
      const { steps } = readEvidence(setUp(after), asked);
      const fired = steps.map((step) => step.fired['reward crowding'] ?? 0);
      expect(Math.max(...fired)).toBeLessThan(3);
    }
  });

  test('holds the record against an edited text where one is given', () => {
    const { steps, components } = readEvidence(setUp(null), { ...asked, text: paying });
    expect(steps.map(({ fired }) => fired)).toEqual(Array(6).fill({ 'reward crowding': 3 }));
    expect(components).toContain('crowding');
    for (const text of ['nonsense', 'environment other extends simple_push {\n}\n']) {
      const error = thrownBy(() => readEvidence(setUp(paying), { ...asked, text }));
      expect(error.code).toBe('input.invalid');
    }
  });

  test('values potentials as the learner of the run does', () => {
    const text = `environment still extends simple_spread {
  reward still { for a in agent give 1 to a potential }
}
`;
    const discounting = { gamma: 0.9, truncationEnds: true };
    const sources = { ...setUp(null), envsOf: () => bindToLearner(createVecEnv, discounting) };
    const paid = readEvidence(sources, { ...asked, text }).steps.map(({ components }) => components[2]);
    // A potential that stays 1: the discount less 1. It ends with an episode of 25 steps, since truncation ends it for this learner.
    expect(paid.map((value) => value?.toFixed(4))).toEqual([
      '-0.1000',
      '-0.1000',
      '-1.0000',
      '-0.1000',
      '-0.1000',
      '-0.1000',
    ]);
  });

  test('what is not on record is told with what is', () => {
    const sources = setUp(paying);
    for (const wrong of [{ copy: 2 }, { from: 30, to: 40 }]) {
      const error = thrownBy(() => readEvidence(sources, { ...asked, ...wrong }));
      expect(error).toMatchObject({ code: 'input.notFound' });
      expect(error.message).toContain('2 copies with 30 steps each');
    }
    expect(thrownBy(() => readEvidence(sources, { ...asked, round: 3 })).message).toContain('has not ended');
    expect(thrownBy(() => readEvidence(sources, { ...asked, proposalId: 'p9' })).code).toBe('store.notFound');
  });
});
