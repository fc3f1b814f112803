import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { edl } from '../../../shared/contract/edl.ts';
import type { TextTools } from '../../language/index.ts';
import { scenarioManifest, scenarioNames } from '../../sim/index.ts';

export function createEdlHandlers(tools: TextTools): DomainHandlers<typeof edl> {
  return {
    check: ({ text }) => tools.check(text),
    format: async ({ text }) => ({ text: await tools.format(text) }),
    explain: async ({ text }) => ({ text: await tools.explain(text) }),
    scenarios: () => scenarioNames().map((name) => scenarioManifest(name)),
  };
}
