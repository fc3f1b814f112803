import type { EnvironmentDraft } from '../declarations/kind.ts';
import type { EdlHost } from '../types.ts';

interface Surroundings {
  readonly host: EdlHost;
  readonly scenario: string;
  readonly parameters: Readonly<Record<string, number>>;
}

/** Reports regimes under whose settings the scenario could not be: its parameters do not go together. */
export function refuseCombinations(
  draft: EnvironmentDraft,
  { host, scenario, parameters }: Surroundings,
): void {
  for (const { ir, node } of draft.regimes) {
    if (ir.settings.length === 0) continue;
    const settings = ir.settings.map(({ parameter, value }) => [parameter, value] as const);
    try {
      host.manifest(scenario, { ...parameters, ...Object.fromEntries(settings) });
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      const place = node.settings.at(-1) ?? node;
      draft.context.reporter.report('EDL404', { node: place }, `under regime '${ir.name}': ${message}`);
    }
  }
}
