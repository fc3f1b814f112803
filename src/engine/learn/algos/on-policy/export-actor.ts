import { createHash } from 'node:crypto';
import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import type { ScenarioManifest } from '../../../../shared/rl/manifest.ts';
import { type PolicyMetadata, policyMetadataKey } from '../../../../shared/rl/policy-metadata.ts';
import { libraryVersion } from '../../../../shared/std/library-version.ts';
import { emitOnnx } from '../../graph/emit.ts';
import { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/node.ts';
import { opsetVersion } from '../../graph/onnx-proto.ts';
import { applyFrozenMlp } from '../../nn/mlp.ts';
import { applyFrozenRecurrent } from '../../nn/recurrent-net.ts';
import type { ActorCritic } from './networks.ts';

const library = `gymwright ${libraryVersion}`;
/** Any size does: the leading dimension is written as a symbol. */
const exampleRows = 2;

/**
 * The actor as a file that stands alone: weights baked in, metadata inside.
 * Shape: obs [batch,O], logitBias [batch,N], with memory hidden [batch,H] -> logProbs [batch,N], with memory nextHidden
 * [batch,H], all f32.
 */
export function exportActor(
  net: ActorCritic,
  parameters: Float32Array,
  manifest: ScenarioManifest,
  groupName: string,
  algorithm: OnPolicyConfig['algorithm'],
): Uint8Array {
  const g = new Graph();
  const obs = g.input('obs', [exampleRows, net.obsDim]);
  const logitBias = g.input('logitBias', [exampleRows, net.numActions]);
  const { logits, nextHidden } = applyActor(g, net, parameters, obs);
  const { recurrent, hidden } = net.config;
  const metadata: PolicyMetadata = {
    format: 2,
    library,
    opset: opsetVersion,
    algorithm,
    scenario: manifest.name,
    scenarioVersion: manifest.version,
    group: groupName,
    obsDim: net.obsDim,
    numActions: net.numActions,
    actionNames: manifest.groups.find((group) => group.name === groupName)?.actionNames ?? [],
    extras: [],
    numAgents: net.numAgents,
    hiddenDim: recurrent ? hidden : 0,
    inputs: { obs: 'obs', logitBias: 'logitBias', hidden: recurrent ? 'hidden' : null },
    outputs: { scores: 'logProbs', nextHidden: recurrent ? 'nextHidden' : null },
    scoreKind: 'logProbs',
    normalisation: 'none',
    actionTransform: 'argmax',
    layers: describeLayers(net),
    parameterHash: actorHash(net, parameters),
  };
  return emitOnnx(
    g,
    {
      logProbs: g.logSoftmax(g.add(logits, logitBias)),
      ...(nextHidden && { nextHidden }),
    },
    {
      name: `${manifest.name} ${groupName}`,
      dynamicBatch: true,
      producer: library,
      metadata: { [policyMetadataKey]: JSON.stringify(metadata) },
    },
  );
}

function applyActor(
  g: Graph,
  { config, actor, layout }: ActorCritic,
  parameters: Float32Array,
  obs: Tensor,
): { readonly logits: Tensor; readonly nextHidden: Tensor | null } {
  if (!config.recurrent) {
    return { logits: applyFrozenMlp(g, actor, layout, parameters, obs), nextHidden: null };
  }
  const hidden = g.input('hidden', [exampleRows, config.hidden]);
  const { output, next } = applyFrozenRecurrent(g, actor, layout, parameters, obs, hidden);
  return { logits: output, nextHidden: next };
}

function describeLayers({ config }: ActorCritic): string[] {
  const { hidden, activation, layerNorm, recurrent } = config;
  const norm = layerNorm ? ['layer norm'] : [];
  const linear = `linear ${hidden} ${activation}`;
  return [...norm, linear, ...norm, recurrent ? `gru ${hidden}` : linear, ...norm];
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
