import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { resolveExtends } from '../extends/resolve.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { Reporter } from '../reporter.ts';
import type { EdlHost } from '../types.ts';
import { type Refusal, refuse, textStart } from './refusal.ts';

/**
 * What a coach may not touch, as it stands in the text or as it would: the mission, topology, shapes and physics
 * constants, wherever they are set.
 */
export function refuseReserved(
  ast: Environment,
  declarations: readonly (Declaration | undefined)[],
  host: EdlHost,
  path: string | undefined,
): Refusal | null {
  let parameters: readonly ManifestParameter[] | null = null;
  for (const node of declarations) {
    if (node === undefined) continue;
    if (node.$type === 'Mission')
      return refuse('EDL607', textStart, 'the mission is reserved to a person: it says what is wanted');
    if (node.$type === 'Capacity')
      return refuse('EDL607', textStart, `'capacity ${node.set}' is reserved to a person: ${shapes}`);
    for (const name of parametersOf(node)) {
      parameters ??= manifestParameters(ast, host, path);
      const reserved = refuseParameter(parameters, name);
      if (reserved !== null) return reserved;
    }
  }
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

function manifestParameters(
  ast: Environment,
  host: EdlHost,
  path: string | undefined,
): readonly ManifestParameter[] {
  const scenario = ast.scenario ?? resolveExtends(ast, host, new Reporter(), path)?.scenario;
  return scenario === undefined ? [] : (host.manifest(scenario, {})?.parameters ?? []);
}
