import { createHash } from 'node:crypto';
import type { InferenceSession } from 'onnxruntime-node';
import protobuf from 'protobufjs/minimal.js';
import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';
import {
  type PolicyExtra,
  type PolicyMetadata,
  policyInputWidth,
  policyMetadataKey,
} from '../../shared/rl/policy-metadata.ts';
import { libraryVersion } from '../../shared/std/library-version.ts';
import { createSession } from '../learn/index.ts';
import { invalidPolicy, readModel } from './read-metadata.ts';
import { requireBatches, requireSoundScores } from './try-model.ts';

/** The space a foreign model is said to play in, and which of its ports is which where their widths do not tell. */
export interface ImportOptions {
  readonly manifest: ScenarioManifest;
  readonly group: ManifestGroup;
  /** What the model sees beside the observation, in this order. Default: nothing. */
  readonly extras?: readonly PolicyExtra[];
  /** Names of the model's ports. Default of obs and scores: the only one of that width; of the others: there is none. */
  readonly ports?: {
    readonly obs?: string | undefined;
    readonly scores?: string | undefined;
    readonly logitBias?: string | undefined;
    readonly hidden?: string | undefined;
    readonly nextHidden?: string | undefined;
  };
}

type Port = InferenceSession['inputMetadata'][number];

/**
 * A model of someone else as a policy file: the same bytes and, behind them, metadata that say what it plays.
 * Throws: policy.invalid; reason corrupt (not a whole ONNX model), space (its ports are not those of the group, or it does
 * not take batches), unusable (its scores are no numbers, or not the same twice), known (it says already what it plays).
 */
export async function importPolicy(onnx: Uint8Array, options: ImportOptions): Promise<Uint8Array> {
  const { properties, opset } = readModel(onnx);
  if (properties.has(policyMetadataKey)) {
    throw invalidPolicy('known', 'The file is a policy of Gymwright already and needs no import.');
  }
  const session = await open(onnx);
  try {
    const metadata = { ...describeSpace(session, options), opset, parameterHash: sha256(onnx) };
    const file = withMetadata(onnx, metadata);
    await requireBatches(file, metadata);
    await requireSoundScores(session, metadata);
    return file;
  } finally {
    await session.release();
  }
}

async function open(onnx: Uint8Array): Promise<InferenceSession> {
  try {
    return await createSession(onnx);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidPolicy('corrupt', `The model cannot be loaded (${reason}).`, cause);
  }
}

function describeSpace(
  session: InferenceSession,
  { manifest, group, extras = [], ports = {} }: ImportOptions,
): Omit<PolicyMetadata, 'opset' | 'parameterHash'> {
  const space = {
    obsDim: group.obsDim,
    numActions: group.numActions,
    numAgents: group.agents.length,
    extras,
  };
  const { inputMetadata, outputMetadata } = session;
  const inputs = {
    obs: findPort(
      'input',
      inputMetadata,
      ports.obs,
      policyInputWidth({ ...space, extras: [...extras] }),
      'observations',
    ),
    logitBias:
      ports.logitBias === undefined
        ? null
        : findPort('input', inputMetadata, ports.logitBias, group.numActions, 'mask'),
    hidden: ports.hidden ?? null,
  };
  const scores = findPort('output', outputMetadata, ports.scores, group.numActions, 'actions');
  const given = Object.values(inputs).filter((name) => name !== null);
  const missing = session.inputNames.filter((name) => !given.includes(name));
  if (missing.length > 0) {
    throw invalidPolicy(
      'space',
      `The model wants ${quote(missing)} beside its observations: say which is the mask (added to logits) and which the memory.`,
    );
  }
  return {
    format: 2,
    library: `imported by gymwright ${libraryVersion}`,
    algorithm: 'imported',
    scenario: manifest.name,
    scenarioVersion: manifest.version,
    group: group.name,
    ...space,
    extras: [...extras],
    actionNames: group.actionNames,
    hiddenDim: memoryWidth(session, ports),
    inputs,
    outputs: { scores, nextHidden: ports.nextHidden ?? null },
    scoreKind: 'other',
    normalisation: 'none',
    actionTransform: 'argmax',
    layers: [],
  };
}

/** The port of a name, or the only one of the width. */
function findPort(
  side: 'input' | 'output',
  ports: readonly Port[],
  name: string | undefined,
  width: number,
  what: string,
): string {
  const fitting = ports.filter((port) => widthOf(port) === width);
  const chosen = name === undefined ? fitting : fitting.filter((port) => port.name === name);
  const [found] = chosen;
  if (found !== undefined && chosen.length === 1) return found.name;
  const there = ports.map((port) => `"${port.name}" ${describePort(port)}`).join(', ');
  const wanted = `an ${side} of shape [batch, ${width}] and type float32 for the group's ${what}`;
  if (chosen.length > 1) {
    throw invalidPolicy(
      'space',
      `The model has more than one ${side} for ${what}: say which of ${there} it is.`,
    );
  }
  throw invalidPolicy(
    'space',
    `The model needs ${wanted}${name === undefined ? '' : ` named "${name}"`}; it has ${there}.`,
  );
}

function memoryWidth(
  session: InferenceSession,
  { hidden, nextHidden }: NonNullable<ImportOptions['ports']>,
): number {
  if (hidden === undefined && nextHidden === undefined) return 0;
  const before = session.inputMetadata.find(({ name }) => name === hidden);
  const after = session.outputMetadata.find(({ name }) => name === nextHidden);
  const width = before && widthOf(before);
  if (width !== undefined && width !== null && after && widthOf(after) === width) return width;
  throw invalidPolicy(
    'space',
    `The memory needs an input and an output of one shape [batch, width]; "${hidden}" and "${nextHidden}" are not such a pair.`,
  );
}

/** Width of a float32 matrix; null for anything else. */
function widthOf(port: Port): number | null {
  if (!port.isTensor || port.type !== 'float32' || port.shape.length !== 2) return null;
  const width = port.shape[1];
  return typeof width === 'number' ? width : null;
}

function describePort(port: Port): string {
  return port.isTensor ? `${port.type} [${port.shape.join(', ')}]` : 'not a tensor';
}

/** ModelProto with one more metadata_props entry (field 14): parts of a message may follow in any order. */
function withMetadata(onnx: Uint8Array, metadata: PolicyMetadata): Uint8Array {
  const lengthDelimited = 2;
  const field = (number: number): number => (number << 3) | lengthDelimited;
  const entry = protobuf.Writer.create()
    .uint32(field(14))
    .fork()
    .uint32(field(1))
    .string(policyMetadataKey)
    .uint32(field(2))
    .string(JSON.stringify(metadata))
    .ldelim()
    .finish();
  const file = new Uint8Array(onnx.byteLength + entry.byteLength);
  file.set(onnx);
  file.set(entry, onnx.byteLength);
  return file;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
