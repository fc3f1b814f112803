import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readVisitedStates } from '../../../../src/engine/runs/report/visited-states.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { writeRecord } from '../../../../src/engine/train/record-file.ts';
import { compiled } from '../../../support/coach-world.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const environment = compiled();
const numEnvs = 5;

/** A record of five copies after three random steps, and the states they were in. */
function record(root: string) {
  const env = createVecEnv(environment.spec, { numEnvs, seed: 3n, firstEpisode: 0 });
  env.reset(3n, 0);
  const actions = Int32Array.from({ length: numEnvs * env.numAgents }, (_, i) => i % env.numActions);
  for (let step = 0; step < 3; step++) env.step(actions);
  const states = env.state.slice();
  const { stateDim, numAgents } = env;
  const steps = Array.from({ length: numEnvs }, (_, copy) => ({
    snapshot: env.snapshot(copy),
    actions: new Int32Array(numAgents),
  }));
  env.dispose();
  const header = {
    scenario: environment.scenario,
    environmentIdentity: environment.identity,
    round: 0,
    numAgents,
    numCopies: numEnvs,
    begins: [],
  };
  const folder = join(root, '.gymwright', 'runs', 'r1');
  mkdirSync(folder, { recursive: true });
  return { recordFile: writeRecord(folder, header, steps), states, stateDim };
}

describe('readVisitedStates', () => {
  test('gives the states that were recorded, as the simulator shows them', () => {
    const root = temporaryFolder();
    const { recordFile, states, stateDim } = record(root);
    const visited = readVisitedStates({ root, createVecEnv }, { runId: 'r1', recordFile }, environment.spec);
    expect(visited).toEqual({ states, stateDim });
  });

  test('is null where the record is gone, or of another scenario', () => {
    const root = temporaryFolder();
    const { recordFile } = record(root);
    const tools = { root, createVecEnv };
    expect(readVisitedStates(tools, { runId: 'r2', recordFile }, environment.spec)).toBeNull();
    const { spec } = compiled('environment other extends simple_tag {\n}\n');
    expect(readVisitedStates(tools, { runId: 'r1', recordFile }, spec)).toBeNull();
  });
});
