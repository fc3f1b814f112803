import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { edl } from '../../../shared/contract/edl.ts';
import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { proposalJsonSchema } from '../../coach/index.ts';
import { irJsonSchema } from '../../edl/index.ts';
import type { Language } from '../../language/index.ts';
import { plainSpec, scenarioManifest, scenarioNames } from '../../sim/index.ts';
import { describeGrammar } from './edl-grammar.ts';

/** A manifest whose parameters stand where a name sets them: what holds under it unless something else is set. */
function withDefaults(manifest: ScenarioManifest, set: Readonly<Record<string, number>>): ScenarioManifest {
  const parameters = manifest.parameters.map((each) => ({
    ...each,
    default: set[each.name] ?? each.default,
  }));
  return { ...manifest, parameters };
}

export function createEdlHandlers(language: Language): DomainHandlers<typeof edl> {
  return {
    check: (args) => language.check(args),
    format: async (args) => ({ text: await language.format(args) }),
    explain: async (args) => ({ text: await language.explain(args) }),
    flatten: async (args) => ({ text: await language.flatten(args) }),
    schema: ({ of }) => ({ schema: { ...(of === 'ir' ? irJsonSchema() : proposalJsonSchema()) } }),
    grammar: (request) => describeGrammar(request, scenarioManifest(request.scenario)),
    scenarios: ({ named }) =>
      (named === undefined ? scenarioNames() : [named]).map((name) => {
        const { scenario, parameters } = plainSpec(name);
        return withDefaults(scenarioManifest(scenario, parameters), parameters);
      }),
    ...language.documents,
  };
}
