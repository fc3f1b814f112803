import type { Diagnostic } from '../../shared/contract/edl.ts';
import { compile, explain, format, type TextResult } from '../edl/index.ts';
import { invalidEdl, scenarioHost } from './scenario-host.ts';

/** What a check tells of an environment without errors. */
export interface CheckedEnvironment {
  readonly name: string;
  readonly scenario: string;
  readonly identity: string;
  readonly costPerStep: number;
}

export interface CheckResult {
  readonly diagnostics: Diagnostic[];
  readonly environment: CheckedEnvironment | null;
}

/** What an editor asks of an EDL text, over the scenarios of this build. Throws edl.invalid where there is no answer. */
export const textTools = {
  check(text: string): CheckResult {
    const { diagnostics, environment } = compile(text, scenarioHost);
    if (environment === null) return { diagnostics, environment: null };
    const { name, scenario, identity, costPerStep } = environment;
    return { diagnostics, environment: { name, scenario, identity, costPerStep } };
  },
  format: (text: string): string => textOrThrow(format(text)),
  explain: (text: string): string => textOrThrow(explain(text, scenarioHost)),
};

function textOrThrow(result: TextResult): string {
  if ('text' in result) return result.text;
  throw invalidEdl(result.diagnostics);
}

/** The same tools wherever they run: on this thread or on one of their own. */
export type TextTools = {
  readonly [V in keyof typeof textTools]: (
    text: string,
  ) => ReturnType<(typeof textTools)[V]> | Promise<ReturnType<(typeof textTools)[V]>>;
};
