import { AppError } from '../../shared/std/app-error.ts';

const neededVersion = 10;

/**
 * better-sqlite3's binary needs Node-API 10; an older Node would end without a word when it is loaded.
 * Throws engine.unavailable with what to do. The binary is loaded by the first `new Database`, not by the import.
 */
export function requireNodeApi(
  { node, napi }: { readonly node: string; readonly napi?: string | undefined } = process.versions,
): void {
  const available = Number(napi ?? 0);
  if (available >= neededVersion) return;
  throw new AppError(
    'engine.unavailable',
    `Node ${node} is too old for the database (Node-API ${available}, ${neededVersion} is needed): use Node 24, ` +
      'for instance through `npm start`, which brings its own.',
    { data: { node, napi: available } },
  );
}
