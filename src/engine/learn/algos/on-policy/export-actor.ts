import { createHash } from 'node:crypto';
import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { type PolicyMetadata, policyMetadataKey } from '../../../shared/rl/policy-metadata.ts';
import { libraryVersion } from '../../../shared/std/library-version.ts';
import { emitOnnx } from '../graph/emit.ts';
import { Graph } from '../graph/graph.ts';
import { opsetVersion } from '../graph/onnx-proto.ts';
import { applyFrozenMlp } from '../nn/mlp.ts';
import type { ActorCritic } from './ppo-graphs.ts';

const library = `gymwright ${libraryVersion}`;
/** Any size does: the leading dimension is written as a symbol. */
const exampleRows = 2;

/**
 * The actor as a file that stands alone: weights baked in, obs and logitBias in, logProbs out, metadata inside.
 * Shape: obs [batch,O], logitBias [batch,N] -> logProbs [batch,N], all f32.
 */
export function exportActor(
  net: ActorCritic,
  parameters: Float32Array,
  manifest: ScenarioManifest,
  groupName: string,
  config: OnPolicyConfig,
): Uint8Array {
  const g = new Graph();
  const obs = g.input('obs', [exampleRows, net.obsDim]);
  const logitBias = g.input('logitBias', [exampleRows, net.numActions]);
  const logits = applyFrozenMlp(g, net.actor, net.layout, parameters, obs);
  const metadata: PolicyMetadata = {
    format: 2,
    library,
    opset: opsetVersion,
    algorithm: config.algorithm,
    scenario: manifest.name,
    scenarioVersion: manifest.version,
    group: groupName,
    obsDim: net.obsDim,
    numActions: net.numActions,
    actionNames: manifest.groups.find((group) => group.name === groupName)?.actionNames ?? [],
    extras: [],
    numAgents: manifest.groups.find((group) => group.name === groupName)?.agents.length ?? 1,
    hiddenDim: 0,
    inputs: { obs: 'obs', logitBias: 'logitBias', hidden: null },
    outputs: { scores: 'logProbs', nextHidden: null },
    scoreKind: 'logProbs',
    normalisation: 'none',
    actionTransform: 'argmax',
    layers: [`linear ${config.hidden} tanh`, `linear ${config.hidden} tanh`],
    parameterHash: actorHash(net, parameters),
  };
  return emitOnnx(
    g,
    { logProbs: g.logSoftmax(g.add(logits, logitBias)) },
    {
      name: `${manifest.name} ${groupName}`,
      dynamicBatch: true,
      producer: library,
      metadata: { [policyMetadataKey]: JSON.stringify(metadata) },
    },
  );
}

function actorHash(net: ActorCritic, parameters: Float32Array): string {
  const hash = createHash('sha256');
  for (const { name } of net.layout.specs) {
    if (name.startsWith(`${net.actor.name}.`)) {
      const block = net.layout.block(parameters, name);
      hash.update(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
    }
  }
  return hash.digest('hex');
}
