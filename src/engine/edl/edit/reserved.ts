import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { targetOf } from '../declarations/registry.ts';
import { elaborateEnvironment } from '../elaborate/environment.ts';
import { droppedTarget } from '../extends/dropped.ts';
import { resolveExtends } from '../extends/resolve.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { Reporter } from '../reporter.ts';
import type { EdlHost } from '../types.ts';
import { type Refusal, refuse, textStart } from './refusal.ts';

/**
 * What a coach may not touch, as it stands in the text or as it would: the mission, topology, shapes and physics
 * constants, wherever they are set. A declaration that drops or overrides one of an extended file touches that too.
 */
export function refuseReserved(
  ast: Environment,
  declarations: readonly (Declaration | undefined)[],
  host: EdlHost,
  path: string | undefined,
): Refusal | null {
  const own = declarations.filter((node) => node !== undefined);
  const inherited = inheritedBy(ast, own, host, path);
  let parameters: readonly ManifestParameter[] | null = null;
  for (const node of [...own, ...inherited]) {
    const refused = refuseKind(node);
    if (refused !== null) return refused;
    for (const name of parametersOf(node)) {
      parameters ??= manifestParameters(ast, host, path);
      const reserved = refuseParameter(parameters, name);
      if (reserved !== null) return reserved;
    }
  }
  return null;
}

/** The declarations of the extended file that these drop, override, or stop overriding. */
function inheritedBy(
  ast: Environment,
  declarations: readonly Declaration[],
  host: EdlHost,
  path: string | undefined,
): readonly Declaration[] {
  if (ast.base === undefined) return [];
  const touched = new Set(
    declarations.map((node) => (node.$type === 'Without' ? droppedTarget(node) : targetOf(node))),
  );
  const base = resolveExtends({ ...ast, declarations: [] }, host, new Reporter(), path);
  return (base?.declarations ?? []).filter((node) => touched.has(targetOf(node)));
}

/** Kinds that are a person's as a whole. */
function refuseKind(node: Declaration): Refusal | null {
  if (node.$type === 'Mission')
    return refuse('EDL607', textStart, 'the mission is reserved to a person: it says what is wanted');
  if (node.$type === 'Capacity')
    return refuse('EDL607', textStart, `'capacity ${node.set}' is reserved to a person: ${shapes}`);
  return null;
}

const shapes = 'it changes shapes, which are fixed for a study';

/** Parameters that a declaration sets or drops. */
function parametersOf(node: Declaration): string[] {
  switch (node.$type) {
    case 'Setting':
      return [node.path.join('.')];
    case 'Stage':
    case 'Regime':
      return node.settings.map((setting) => setting.path.join('.'));
    case 'Without':
      return node.kind === 'set' ? [node.path.join('.')] : [];
    default:
      return [];
  }
}

function refuseParameter(parameters: readonly ManifestParameter[], name: string): Refusal | null {
  const parameter = parameters.find((candidate) => candidate.name === name);
  if (parameter === undefined || (parameter.coach && !parameter.structural)) return null;
  const reason = parameter.structural ? shapes : parameter.doc;
  return refuse('EDL607', textStart, `'${name}' is reserved to a person: ${reason}`);
}

/** As the text has them: whether a count makes shapes depends on the capacities in force. */
function manifestParameters(
  ast: Environment,
  host: EdlHost,
  path: string | undefined,
): readonly ManifestParameter[] {
  const resolved = resolveExtends(ast, host, new Reporter(), path);
  if (resolved === null) return [];
  const declarations = resolved.declarations.filter(
    (node) => node.$type === 'Setting' || node.$type === 'Capacity',
  );
  const settled = elaborateEnvironment({ ...resolved, declarations }, host, new Reporter());
  return settled?.index.manifest.parameters ?? [];
}
