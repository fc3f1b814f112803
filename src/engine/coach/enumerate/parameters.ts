import type { ManifestParameter, ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { type DraftContext, declarationsOf, maxOptions } from './draft.ts';

/** Parameters that a coach may write while a run goes on. */
export function settable({ parameters }: ScenarioManifest): ManifestParameter[] {
  return parameters.filter(({ coach, structural }) => coach && !structural);
}

/** Parameters by what they are of, the name before the point: at most as many of each, and as many, as one question offers. */
export function parameterFamilies(
  parameters: readonly ManifestParameter[],
): [family: string, parameters: ManifestParameter[]][] {
  const familyOf = ({ name }: ManifestParameter): string => name.split('.')[0] ?? name;
  return [...new Set(parameters.map(familyOf))]
    .slice(0, maxOptions)
    .map((family) => [
      family,
      parameters.filter((parameter) => familyOf(parameter) === family).slice(0, maxOptions),
    ]);
}

/** Whether a parameter is what the text says of it at its top level: a stage that sets another value holds against that. */
export function isTopLevel(context: DraftContext): (parameter: ManifestParameter) => boolean {
  const inForce = declarationsOf(context, 'stage').find(({ name }) => name === context.stage)?.text ?? '';
  return ({ name }) => !inForce.includes(`set ${name} `);
}
