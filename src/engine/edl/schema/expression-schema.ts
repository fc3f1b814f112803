import { z } from 'zod';
import type { EntityIr, ExpressionIr, PlaceIr, SetIr, TargetIr } from '../ir.ts';

const name = z.string();
const binary = z.enum(['add', 'sub', 'mul', 'div', 'min', 'max', 'lt', 'le', 'eq', 'and', 'or']);
const unary = z.enum(['neg', 'abs', 'sqrt', 'not']);
const aggregate = z.enum(['count', 'any', 'all', 'sum', 'mean', 'min', 'max']);

export const setSchema: z.ZodType<SetIr> = z
  .union([
    z.strictObject({ op: z.literal('set'), name }),
    z.strictObject({ op: z.enum(['ally', 'other', 'opponent']), of: z.lazy(() => entitySchema) }),
  ])
  .meta({ id: 'Set' });

export const entitySchema: z.ZodType<EntityIr> = z
  .union([
    z.strictObject({
      op: z.literal('variable'),
      index: z.int().nonnegative().describe('loops counted from the outermost'),
    }),
    z.strictObject({ op: z.literal('entity'), name }),
    z.strictObject({
      op: z.literal('member'),
      set: name.describe('a set whose one member depends on the state'),
    }),
    z.strictObject({
      op: z.enum(['nearest', 'farthest']),
      set: setSchema,
      to: z.lazy(() => entitySchema),
      where: z
        .strictObject({
          variable: z.int().nonnegative().describe('stands for the member'),
          condition: z.lazy(() => expressionSchema),
        })
        .exactOptional()
        .describe('left out: every member is looked at'),
    }),
  ])
  .meta({ id: 'Entity' });

const placeSchema: z.ZodType<PlaceIr> = z
  .union([entitySchema, z.strictObject({ op: z.literal('centroid'), set: setSchema })])
  .meta({ id: 'Place' });

export const targetSchema: z.ZodType<TargetIr> = z
  .union([entitySchema, z.strictObject({ op: z.literal('each'), set: name })])
  .meta({ id: 'Target' });

/** Numbers and conditions. */
export const expressionSchema: z.ZodType<ExpressionIr> = z
  .union([
    z.strictObject({ op: z.literal('number'), value: z.number() }),
    z.strictObject({ op: z.literal('boolean'), value: z.boolean() }),
    z.strictObject({ op: z.literal('signal'), name }),
    z.strictObject({ op: z.literal('metric'), name, of: entitySchema.nullable() }),
    z.strictObject({
      op: z.literal('attribute'),
      kind: z.enum(['agent', 'landmark']),
      name,
      of: entitySchema,
    }),
    z.strictObject({ op: z.literal('distance'), from: placeSchema, to: placeSchema }),
    z.strictObject({ op: z.literal('relation'), name, from: entitySchema, to: entitySchema }),
    z.strictObject({ op: z.literal('recent'), event: name, steps: z.number() }),
    z.strictObject({ op: z.literal('same'), left: entitySchema, right: entitySchema }),
    z.strictObject({
      op: binary,
      left: z.lazy(() => expressionSchema),
      right: z.lazy(() => expressionSchema),
    }),
    z.strictObject({ op: unary, value: z.lazy(() => expressionSchema) }),
    z.strictObject({
      op: z.literal('aggregate'),
      kind: aggregate,
      set: setSchema,
      where: z.lazy(() => expressionSchema),
      body: z.lazy(() => expressionSchema.nullable()).describe('null for count, any, all'),
    }),
  ])
  .meta({ id: 'Expression' });
