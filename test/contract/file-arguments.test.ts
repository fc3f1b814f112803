import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fileArgument, filesIn, placeOf } from '../../src/shared/contract/file-argument.ts';
import { contract } from '../../src/shared/contract/index.ts';

/** Arguments that are strings and name no file. A new one belongs here, or is a `fileArgument`. */
const noFiles = new Set([
  ...['studyId', 'studyIds', 'runId', 'runIds', 'proposalId', 'policyId', 'arm', 'group', 'frozen', 'ticket'],
  ...['session', 'baseHash', 'key', 'note', 'name', 'named', 'text', 'scenario', 'resume'],
  ...['edl.grammar.kinds', 'edl.grammar.names', 'edl.grammar.targets'],
  ...['models.test.prompt', 'simulator.trace.case'],
  // Names of groups and of built-in policies, of values, of what a model calls its inputs.
  ...['play', 'values', 'obs', 'scores', 'logitBias', 'hidden', 'nextHidden'],
]);

interface Leaf {
  /** "coach.propose.model". */
  readonly name: string;
  readonly schema: z.core.$ZodType;
}

/** What arguments come down to. Throws for a sort of schema that nobody has thought of yet. */
function leavesOf(schema: z.core.$ZodType, name: string): Leaf[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return leavesOf(schema.unwrap(), name);
  if (schema instanceof z.ZodArray) return leavesOf(schema.element, name);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, inner]) => leavesOf(inner, `${name}.${key}`));
  const isLeaf = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodRecord, z.ZodUnknown];
  if (isLeaf.some((kind) => schema instanceof kind)) return [{ name, schema }];
  throw new Error(`${name} is a ${schema._zod.def.type}: say here and in filesIn whether it can name files`);
}

const leaves = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls).flatMap(([verb, { args }]) => leavesOf(args, `${domain}.${verb}`)),
);

describe('the arguments of the contract', () => {
  test('that are free text are marked as files, or known to name none', () => {
    const isFree = ({ schema }: Leaf) =>
      schema instanceof z.ZodString || schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown;
    const isKnown = ({ name }: Leaf) => noFiles.has(name) || noFiles.has(name.split('.').at(-1) ?? '');
    const unsorted = leaves.filter((leaf) => isFree(leaf) && placeOf(leaf.schema) === null && !isKnown(leaf));
    expect(unsorted.map(({ name }) => name)).toEqual([]);
  });

  test('that may name a model anywhere are those of calls which ask models', () => {
    const models = leaves.filter(({ schema }) => placeOf(schema) === 'model');
    expect(models.map(({ name }) => name)).toEqual([
      'coach.propose.model',
      'coach.probe.model',
      'models.inspect.path',
      'models.test.path',
    ]);
  });
});

describe('filesIn', () => {
  const args = z.object({
    path: fileArgument().min(1).describe('a file'),
    model: fileArgument('model').optional(),
    many: z.array(fileArgument()).default([]),
    inner: z.object({ path: fileArgument().nullable(), text: z.string() }).optional(),
    text: z.string(),
  });

  test('finds the files that arguments name, however deep, and nothing else', () => {
    const value = { path: 'a', model: 'b', many: ['c', 'd'], inner: { path: 'e', text: 'x' }, text: 'y' };
    expect(filesIn(args, value).map(({ path, place }) => `${place} ${path}`)).toEqual([
      'workspace a',
      'model b',
      'workspace c',
      'workspace d',
      'workspace e',
    ]);
  });

  test.each([null, 'a', 7, [], { path: 7, many: 'c', inner: null }, { many: [null, {}], inner: [] }])(
    'finds none in %j, which does not fit',
    (value) => {
      expect(filesIn(args, value)).toEqual([]);
    },
  );
});
