import type { Diagnostic } from '../../shared/contract/edl.ts';
import { describeDeclaration } from './declaration-info.ts';
import { type ElaboratedEnvironment, elaborateEnvironment } from './elaborate/environment.ts';
import type { Environment } from './generated/ast.ts';
import { identityOf } from './identity.ts';
import { limits } from './lower/limits.ts';
import { lowerEnvironment } from './lower/program.ts';
import { nestingMessage, parseText } from './parse.ts';
import { makeDiagnostic, Reporter } from './reporter.ts';
import type { CompiledEnvironment, CompileResult, EdlHost } from './types.ts';

/**
 * Checks a text against its scenario and lowers it to bytecode.
 * Throws: never; a failure of the checker itself is diagnostic EDL199.
 * Cost: a few milliseconds for fifty lines.
 */
export function compile(text: string, host: EdlHost): CompileResult {
  try {
    return compileParsed(text, host);
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)], environment: null };
  }
}

/** What a failure of the checker looks like to the author of a text; one that only ran out of stack is its nesting. */
export function internalDiagnostic(thrown: unknown): Diagnostic {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  if (thrown instanceof RangeError && reason.includes('call stack'))
    return makeDiagnostic('EDL104', range, nestingMessage);
  return makeDiagnostic('EDL199', range, `the checker failed on this text: ${reason}`);
}

function compileParsed(text: string, host: EdlHost): CompileResult {
  const parsed = parseText(text);
  if (parsed.ast === null || parsed.diagnostics.length > 0)
    return { diagnostics: parsed.diagnostics, environment: null };
  const reporter = new Reporter();
  const elaborated = elaborateEnvironment(parsed.ast, host, reporter);
  if (elaborated === null || reporter.hasErrors) return { diagnostics: sorted(reporter), environment: null };
  const environment = lowerElaborated(parsed.ast, elaborated, reporter);
  return { diagnostics: sorted(reporter), environment };
}

function lowerElaborated(
  ast: Environment,
  elaborated: ElaboratedEnvironment,
  reporter: Reporter,
): CompiledEnvironment | null {
  const lowered = lowerEnvironment(elaborated.ir, elaborated.index);
  if (lowered.program === null) {
    const message = `more than ${limits.maxCostPerStep} instructions per step, or ${limits.maxTableEntries} values at once: nested loops multiply`;
    reporter.report('EDL504', { node: ast, property: 'name' }, message);
    return null;
  }
  const { ir, index, issues, parameters } = elaborated;
  const hasProgram = ir.rules.length + ir.rewards.length > 0;
  const spec = {
    scenario: ir.scenario,
    parameters,
    program: hasProgram ? lowered.program : null,
    scripted: {},
  };
  return {
    name: ast.name,
    scenario: ir.scenario,
    mission: ast.declarations.find((node) => node.$type === 'Mission')?.text ?? '',
    spec,
    identity: identityOf(ir),
    ir,
    costPerStep: lowered.costPerStep,
    declarations: ast.declarations.map(describeDeclaration),
    issues,
    metrics: [],
    regimes: [],
    stages: [],
    capacities: ir.capacities,
    manifest: index.manifest,
  };
}

function sorted(reporter: Reporter): Diagnostic[] {
  return reporter.diagnostics.toSorted(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}
