/** Closes a switch over a union: a forgotten member is a type error, an impossible value a RangeError. */
export function assertNever(value: never): never {
  throw new RangeError(`unexpected value ${JSON.stringify(value)}`);
}
