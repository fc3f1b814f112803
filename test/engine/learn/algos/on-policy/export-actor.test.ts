import { expect, test } from 'vitest';
import { exportActor } from '../../../../../src/engine/learn/algos/on-policy/export-actor.ts';
import { actGraph } from '../../../../../src/engine/learn/algos/on-policy/graphs.ts';
import { actorCritic, type NetworkConfig } from '../../../../../src/engine/learn/algos/on-policy/networks.ts';
import { createSession, wrap } from '../../../../../src/engine/learn/graph/session.ts';
import { CounterRng } from '../../../../../src/shared/std/rng.ts';
import { createCueEnv } from '../../../../support/cue-env.ts';

const [E, A, O, N, H] = [2, 2, 3, 3, 4];
const R = E * A;
const { manifest } = createCueEnv({ numEnvs: 1, groups: { agent: { agents: A, cues: N } } });
const plain: NetworkConfig = {
  hidden: H,
  activation: 'tanh',
  layerNorm: false,
  critic: 'observation',
  recurrent: false,
};

test.each<[string, Partial<NetworkConfig>]>([
  ['a plain actor', {}],
  ['relu and layer norm', { activation: 'relu', layerNorm: true }],
  ['memory', { recurrent: true }],
  [
    'memory with layer norm, beside a central critic',
    { recurrent: true, layerNorm: true, critic: 'state+agent' },
  ],
])('the exported policy of %s computes what the rollout did', async (_, changes) => {
  const net = actorCritic({ obsDim: O, numActions: N, numAgents: A, stateDim: 2 }, { ...plain, ...changes });
  const rng = new CounterRng(9n, 0);
  const normals = (count: number) => Float32Array.from({ length: count }, () => rng.nextNormal());
  const parameters = normals(net.layout.size);
  const [obs, logitBias, hidden] = [normals(R * O), normals(R * N), normals(R * H)];
  const withOne = Float32Array.from({ length: R * (O + 1) }, (_x, i) =>
    i % (O + 1) === O ? 1 : (obs[Math.floor(i / (O + 1)) * O + (i % (O + 1))] as number),
  );
  const columns = Float32Array.from(
    { length: R * N },
    (_x, i) => logitBias[(i % R) * N + Math.floor(i / R)] as number,
  );

  const rollout = await createSession(actGraph(net, E));
  const trained = await rollout.run({
    parameters: wrap(parameters, [1, net.layout.size]),
    obs: wrap(withOne, [R, O + 1]),
    logitBias: wrap(columns, [N, R]),
    ...(net.config.critic !== 'observation' && { state: wrap(normals(E * 3), [E, 3]) }),
    ...(net.config.recurrent && {
      actorHidden: wrap(hidden, [R, H]),
      criticHidden: wrap(normals(R * H), [R, H]),
    }),
  });
  const policy = await createSession(exportActor(net, parameters, manifest, 'agent', 'mappo'));
  const exported = await policy.run({
    obs: wrap(obs, [R, O]),
    logitBias: wrap(logitBias, [R, N]),
    ...(net.config.recurrent && { hidden: wrap(hidden, [R, H]) }),
  });

  const close = (values: unknown) => Array.from(values as Float32Array, (x) => expect.closeTo(x, 5));
  const logProbs = trained.logProbs?.data as Float32Array;
  const inRows = Array.from({ length: R * N }, (_x, i) => logProbs[(i % N) * R + Math.floor(i / N)]);
  expect(inRows).toEqual(close(exported.logProbs?.data));
  if (net.config.recurrent) {
    expect(Array.from(trained.nextActorHidden?.data as Float32Array)).toEqual(
      close(exported.nextHidden?.data),
    );
  }
});
