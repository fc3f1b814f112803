import { z } from 'zod';

/**
 * Where a file may lie that is named by a caller who is none of the user's own processes, such as a page: in the workspace; a
 * model anywhere, if it is called *.gguf: such files are large and shared, and only what their header says comes back.
 */
export type FilePlace = 'workspace' | 'model';

const places = z.registry<{ readonly place: FilePlace }>();

/**
 * A string argument that can name a file which the engine then reads or writes, whatever else it may name instead. Every such
 * argument of the contract is one: the mark is what callers are held to.
 */
export function fileArgument(place: FilePlace = 'workspace'): z.ZodString {
  return z.string().register(places, { place });
}

/** Where a file may lie that an argument of this schema names; null where it names none. */
export function placeOf(schema: z.core.$ZodType): FilePlace | null {
  return places.get(schema)?.place ?? null;
}

/** A file that the arguments of a call name. */
export interface NamedFile {
  readonly path: string;
  readonly place: FilePlace;
}

/** The files that a value names by its schema; nothing is said of whether it fits the schema. */
export function filesIn(schema: z.core.$ZodType, value: unknown): NamedFile[] {
  const place = placeOf(schema);
  if (place !== null) return typeof value === 'string' ? [{ path: value, place }] : [];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return filesIn(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.flatMap((each) => filesIn(schema.element, each)) : [];
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  const members = value as Readonly<Record<string, unknown>>;
  return Object.entries(schema.shape).flatMap(([name, inner]) => filesIn(inner, members[name]));
}
