import { timingSafeEqual } from 'node:crypto';

/** Tells whether a presented token is the right one, in time that does not depend on how much of it matches. */
export function isToken(presented: string, token: string): boolean {
  const given = Buffer.from(presented);
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
