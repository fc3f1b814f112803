import { createHash } from 'node:crypto';
import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import type { ScenarioManifest } from '../../../../shared/rl/manifest.ts';
import { type PolicyMetadata, policyMetadataKey } from '../../../../shared/rl/policy-metadata.ts';
import { libraryVersion } from '../../../../shared/std/library-version.ts';
import { emitOnnx } from '../../graph/emit.ts';
import { Graph } from '../../graph/graph.ts';
import { opsetVersion } from '../../graph/onnx-proto.ts';
import { applyFrozenQNetwork } from '../../nn/q-network.ts';
import type { TeamGroup, ValueNetwork } from './value-network.ts';

const library = `gymwright ${libraryVersion}`;
/** Any size does: the leading dimension is written as a symbol. */
const exampleRows = 2;

/**
 * One group's Q network as a file that stands alone: weights baked in, metadata inside. Illegal actions have -1e9 added, so
 * that the greedy action is the plain argmax.
 * Shape: obs [batch,O + extras], logitBias [batch,N], hidden [batch,H] (with memory) -> q [batch,N], nextHidden [batch,H].
 */
export function exportQNetwork(
  { layout }: ValueNetwork,
  { name, view, net, extras }: TeamGroup,
  parameters: Float32Array,
  manifest: ScenarioManifest,
  config: ValueConfig,
): Uint8Array {
  const g = new Graph();
  const obs = g.input('obs', [exampleRows, net.inputs]);
  const logitBias = g.input('logitBias', [exampleRows, net.numActions]);
  const hidden = net.isRecurrent ? g.input('hidden', [exampleRows, net.hidden]) : null;
  const { q, next } = applyFrozenQNetwork(g, net, layout, parameters, obs, hidden);
  const metadata: PolicyMetadata = {
    format: 2,
    library,
    opset: opsetVersion,
    algorithm: config.algorithm,
    scenario: manifest.name,
    scenarioVersion: manifest.version,
    group: name,
    obsDim: view.obsDim,
    numActions: view.numActions,
    actionNames: manifest.groups.find((group) => group.name === name)?.actionNames ?? [],
    extras: [...extras],
    numAgents: view.numAgents,
    hiddenDim: net.isRecurrent ? net.hidden : 0,
    inputs: { obs: 'obs', logitBias: 'logitBias', hidden: hidden && 'hidden' },
    outputs: { scores: 'q', nextHidden: next && 'nextHidden' },
    scoreKind: 'qValues',
    normalisation: 'none',
    actionTransform: 'argmax',
    layers: [
      `linear ${net.hidden} relu`,
      net.isRecurrent ? `gru ${net.hidden}` : `linear ${net.hidden} relu`,
    ],
    parameterHash: hashOf(layout, parameters, name),
  };
  return emitOnnx(
    g,
    { q: g.add(q, logitBias), ...(next && { nextHidden: next }) },
    {
      name: `${manifest.name} ${name}`,
      dynamicBatch: true,
      producer: library,
      metadata: { [policyMetadataKey]: JSON.stringify(metadata) },
    },
  );
}

function hashOf(layout: ValueNetwork['layout'], parameters: Float32Array, group: string): string {
  const hash = createHash('sha256');
  for (const { name } of layout.specs) {
    if (!name.startsWith(`${group}.`)) continue;
    const block = layout.block(parameters, name);
    hash.update(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
  }
  return hash.digest('hex');
}
