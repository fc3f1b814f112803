import type { Diagnostic } from '../../shared/contract/edl.ts';
import { compile, type EdlHost, explain, flatten, format, type TextResult } from '../edl/index.ts';
import { invalidEdl } from './scenario-host.ts';

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

/** A text, and the file it stands in: `extends "…"` is looked up from there. */
export interface TextArgs {
  readonly text: string;
  readonly path?: string | undefined;
}

/** What is asked of a whole text. Throws edl.invalid where there is no answer. */
export interface TextTools {
  check(args: TextArgs): CheckResult;
  format(args: TextArgs): string;
  explain(args: TextArgs): string;
  /** The text with all it extends, as one that needs no other file. */
  flatten(args: TextArgs): string;
}

/** The tools over the scenarios and files of a host. */
export function createTextTools(host: EdlHost): TextTools {
  return {
    check({ text, path }) {
      const { diagnostics, environment } = compile(text, host, path);
      if (environment === null) return { diagnostics, environment: null };
      const { name, scenario, identity, costPerStep } = environment;
      return { diagnostics, environment: { name, scenario, identity, costPerStep } };
    },
    format: ({ text }) => textOrThrow(format(text)),
    explain: ({ text, path }) => textOrThrow(explain(text, host, path), path),
    flatten: ({ text, path }) => textOrThrow(flatten(text, host, path), path),
  };
}

function textOrThrow(result: TextResult, path?: string): string {
  if ('text' in result) return result.text;
  throw invalidEdl(result.diagnostics, path);
}
