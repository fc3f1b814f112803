import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/rpc/index.ts';

export const trainedText = `environment near extends simple_spread {
  reward near {
    for a in agent
    when distance(a, nearest(landmark)) < 0.5 m
    give 1 to a
  }
}
`;

/** What is trained, and what it is scored on. */
const spreading = `environment: near.edl
objective: {metric: episode_return, group: agent, environment: simple_spread}
`;

/** Against an opponent that is built in; of another one on the objective. */
export const opposed = `environment: simple_adversary
objective: {metric: episode_return, group: good, opponents: {adversary: noop}}
opponents: {adversary: to_midpoint}
`;

/** On a grid, whose episodes can be long. */
export const foraging = `environment: foraging
objective: {metric: episode_return, group: agent}
`;

const experiment = (task: string): string => `name: tiny
${task}budget: {steps: 512, rounds: 2}
seeds: [3]
learner: {numEnvs: 8, numSteps: 16, minibatchSize: 64, hidden: 8, learningRate: 0.05, gamma: 0.9}
evaluate: {every: 256, episodes: 8}
`;

/** A finished study of one run, by a real trainer, with policies of two rounds. Returns the run's id. */
export async function trainTiny(root: string, task = spreading): Promise<string> {
  mkdirSync(join(root, 'experiments'));
  writeFileSync(join(root, 'near.edl'), trainedText);
  writeFileSync(join(root, 'experiments', 'tiny.yaml'), experiment(task));
  const { client, close } = await openEngine({ root });
  try {
    const settled = new Promise<string>((resolve, reject) => {
      client.on('study.changed', ({ state, runs }) => {
        if (state === 'finished') resolve(runs[0]?.runId ?? '');
        if (state === 'failed') reject(new Error(runs[0]?.error?.message));
      });
    });
    await client.runs.start({ experimentPath: 'experiments/tiny.yaml' });
    return await settled;
  } finally {
    await close();
  }
}
