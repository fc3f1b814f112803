import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../shared/contract/index.ts';
import type { PolicyView } from '../../shared/contract/policies.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { matchId } from './find-by-id.ts';
import { resolvePath } from './resolve-path.ts';

const isFile = (name: string) => existsSync(name) || name.endsWith('.onnx');

/** Whether policies are named by files alone, so that no workspace is needed to find them. */
export const areFiles = (names: readonly string[]): boolean => names.every(isFile);

export const findPolicy = (policies: readonly PolicyView[], id: string): PolicyView =>
  matchId(policies, ({ policyId }) => policyId, id, 'policy', 'gymwright policy list');

/**
 * Policies as a person names them, in that order: the absolute path of an .onnx file, or the one of the workspace whose id is
 * the name or begins with it. Throws policy.invalid for a file that is not there, store.notFound for an id.
 */
export async function findPolicies(
  client: Client,
  names: readonly string[],
): Promise<(string | PolicyView)[]> {
  const known = areFiles(names) ? [] : await client.policies.list({});
  return names.map((name) => {
    if (!isFile(name)) return findPolicy(known, name);
    if (existsSync(name)) return resolvePath(name);
    throw new AppError(
      'policy.invalid',
      `there is no policy file ${name}; \`gymwright policy list\` lists the policies of a workspace, \`gymwright policy export ID --out FILE\` writes one`,
      { data: { path: resolvePath(name) } },
    );
  });
}

/** Where the file of a policy lies that `findPolicies` found in the workspace `root`. */
export const fileOf = (found: string | PolicyView, root: string): string =>
  typeof found === 'string' ? found : path.join(root, found.file);
