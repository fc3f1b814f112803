import { z } from 'zod';

/** Keys that the object at `path` of a schema takes, whatever wraps it; none where no object is described. */
export function knownKeys(schema: z.ZodType, path: readonly (string | number)[]): string[] {
  return [...new Set(objectsAt(schema, path).flatMap((object) => Object.keys(object.shape)))];
}

function objectsAt(schema: z.ZodType, path: readonly (string | number)[]): z.ZodObject[] {
  return unwrap(schema).flatMap((inner) => {
    const [step, ...rest] = path;
    if (step === undefined) return inner instanceof z.ZodObject ? [inner] : [];
    if (inner instanceof z.ZodArray) return objectsAt(inner.element as z.ZodType, rest);
    if (inner instanceof z.ZodRecord) return objectsAt(inner.valueType as z.ZodType, rest);
    if (!(inner instanceof z.ZodObject)) return [];
    const child: unknown = inner.shape[String(step)];
    return child instanceof z.ZodType ? objectsAt(child, rest) : [];
  });
}

function unwrap(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => unwrap(option as z.ZodType));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrap(schema.in as z.ZodType) : [schema];
}
