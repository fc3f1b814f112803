import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { edl } from '../../../shared/contract/edl.ts';
import { compile, explain, format, type TextResult } from '../../edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../sim/index.ts';
import { invalidEdl, scenarioHost } from '../language.ts';

function textOrThrow(result: TextResult): { text: string } {
  if ('text' in result) return { text: result.text };
  throw invalidEdl(result.diagnostics);
}

export function createEdlHandlers(): DomainHandlers<typeof edl> {
  return {
    check({ text }) {
      const { diagnostics, environment } = compile(text, scenarioHost);
      if (environment === null) return { diagnostics, environment: null };
      const { name, scenario, identity, costPerStep } = environment;
      return { diagnostics, environment: { name, scenario, identity, costPerStep } };
    },
    format: ({ text }) => textOrThrow(format(text)),
    explain: ({ text }) => textOrThrow(explain(text, scenarioHost)),
    scenarios: () => scenarioNames().map((name) => scenarioManifest(name)),
  };
}
