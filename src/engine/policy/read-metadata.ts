import protobuf from 'protobufjs/minimal.js';
import type { z } from 'zod';
import {
  type PolicyMetadata,
  policyFormatVersion,
  policyMetadata,
  policyMetadata1,
  policyMetadataKey,
  upgradePolicyMetadata,
} from '../../shared/rl/policy-metadata.ts';
import { AppError } from '../../shared/std/app-error.ts';

/** Why a file is refused; in `data.reason` of the error. */
export type PolicyProblem = 'corrupt' | 'foreign' | 'known' | 'newer' | 'space' | 'unusable';

const advice: Record<PolicyProblem, string> = {
  corrupt: 'Export the policy again.',
  foreign:
    'Say what it plays with `gymwright policy import`, or use a file written by `gymwright policy export`.',
  known:
    'It can be used as it is in `gymwright policy evaluate FILE` and `gymwright sim draw SCENARIO --policy FILE`.',
  newer: 'Update Gymwright, or export the policy again with this version.',
  space: 'Use a policy that was trained for this group under the same parameters.',
  unusable: 'Export the model again, in evaluation mode.',
};

export function invalidPolicy(reason: PolicyProblem, message: string, cause?: unknown): AppError {
  return new AppError('policy.invalid', `${message} ${advice[reason]}`, { data: { reason }, cause });
}

/**
 * Reads what a policy file says about itself, without loading it into a runtime.
 * Throws: policy.invalid; data.reason is corrupt (not a whole ONNX model), foreign (a model of someone else) or newer.
 */
export function readPolicyMetadata(onnx: Uint8Array): PolicyMetadata {
  const { properties } = readModel(onnx);
  const text = properties.get(policyMetadataKey);
  if (text === undefined) {
    throw invalidPolicy('foreign', `The ONNX model carries no "${policyMetadataKey}" metadata.`);
  }
  const value = parseJson(text);
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > policyFormatVersion) {
    throw invalidPolicy(
      'newer',
      `The policy file has format ${format}, this version reads ${policyFormatVersion}.`,
    );
  }
  if (format === 1) return upgradePolicyMetadata(parse(policyMetadata1, value));
  return parse(policyMetadata, value);
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'metadata';
  throw invalidPolicy('corrupt', `The policy file's metadata is damaged at ${where}: ${issue?.message}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidPolicy('corrupt', "The policy file's metadata is not JSON.", cause);
  }
}

/** What is read of a ModelProto without loading it. */
export interface ModelFacts {
  readonly properties: ReadonlyMap<string, string>;
  /** Version of the standard operators. */
  readonly opset: number;
}

/**
 * metadata_props (field 14) and opset_import (field 8) of a ModelProto that also has a graph (field 7).
 * Throws: policy.invalid (corrupt).
 */
export function readModel(onnx: Uint8Array): ModelFacts {
  const properties = new Map<string, string>();
  let opset = 0;
  let hasGraph = false;
  try {
    const reader = protobuf.Reader.create(onnx);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      const field = tag >>> 3;
      if (field === 14 && (tag & 7) === 2) {
        const [key, value] = readEntry(protobuf.Reader.create(reader.bytes()));
        properties.set(key, value);
      } else if (field === 8 && (tag & 7) === 2) {
        opset = Math.max(opset, readOpset(protobuf.Reader.create(reader.bytes())));
      } else {
        hasGraph ||= field === 7;
        reader.skipType(tag & 7);
      }
    }
  } catch (cause) {
    throw invalidPolicy('corrupt', 'The file is not a whole ONNX model.', cause);
  }
  if (!hasGraph) throw invalidPolicy('corrupt', 'The file is not a whole ONNX model: it has no graph.');
  return { properties, opset };
}

/** OperatorSetIdProto: domain 1, version 2; 0 for operators of somebody else. */
function readOpset(reader: protobuf.Reader): number {
  let [domain, version] = ['', 0];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) domain = reader.string();
    else if (tag >>> 3 === 2) version = Number(reader.int64());
    else reader.skipType(tag & 7);
  }
  return domain === '' || domain === 'ai.onnx' ? version : 0;
}

/** StringStringEntryProto: key 1, value 2. */
function readEntry(reader: protobuf.Reader): [string, string] {
  let key = '';
  let value = '';
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = reader.string();
    else reader.skipType(tag & 7);
  }
  return [key, value];
}
