import { environmentMetrics } from '../../shared/rl/environment-metrics.ts';
import { type CheckedText, checkParsed, internalDiagnostic } from './check-text.ts';
import { describeDeclaration } from './declaration-info.ts';
import { kindOf } from './declarations/registry.ts';
import { capacitiesInForce } from './elaborate/capacities.ts';
import type { ElaboratedEnvironment } from './elaborate/environment.ts';
import type { Declaration } from './generated/ast.ts';
import { identityOf } from './identity.ts';
import type { EnvironmentIr } from './ir.ts';
import { limits } from './lower/limits.ts';
import { type LowerResult, lowerEnvironment } from './lower/program.ts';
import type { ManifestIndex } from './manifest-index.ts';
import { type ParsedText, parseText } from './parse.ts';
import type { Place, Reporter } from './reporter.ts';
import type { CompiledEnvironment, CompiledStage, CompileResult, EdlHost } from './types.ts';

/**
 * Checks a text against its scenario and lowers it to bytecode. `path` is the file it stands in, if any: files that it
 * extends are looked up from there.
 * Throws: never; a failure of the checker itself is diagnostic EDL199.
 * Cost: a few milliseconds for fifty lines.
 */
export function compile(text: string, host: EdlHost, path?: string): CompileResult {
  try {
    return compileParsed(parseText(text), host, path);
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)], environment: null };
  }
}

/** As compile, of a text that was read already. Throws: what a broken checker throws. */
export function compileParsed(parsed: ParsedText, host: EdlHost, path?: string): CompileResult {
  const { reporter, checked } = checkParsed(parsed, host, path);
  if (checked === null || reporter.hasErrors) return { diagnostics: reporter.sorted(), environment: null };
  const environment = lowerChecked(checked, reporter);
  return { diagnostics: reporter.sorted(), environment: reporter.hasErrors ? null : environment };
}

function lowerChecked(checked: CheckedText, reporter: Reporter): CompiledEnvironment | null {
  const { resolved, elaborated } = checked;
  const docs = docsOf(resolved.declarations);
  const place = { node: resolved.ast, property: 'name' };
  const lowered = lowerOrReport(elaborated, docs, reporter, place);
  const stages = lowerStages(elaborated, docs, reporter);
  if (lowered === null || stages === null) return null;
  const { ir, index, issues, regimes } = elaborated;
  const spec = specOf(elaborated, lowered);
  return {
    name: resolved.ast.name,
    scenario: ir.scenario,
    mission: resolved.declarations.find((node) => node.$type === 'Mission')?.text ?? '',
    spec,
    identity: identityOf(ir),
    ir,
    costPerStep: lowered.costPerStep,
    declarations: resolved.ast.declarations.map(describeDeclaration),
    issues,
    metrics: environmentMetrics(index.manifest, spec.program).slice(index.manifest.metrics.length),
    regimes,
    stages,
    capacities: capacitiesInForce(index, elaborated.parameters),
    manifest: index.manifest,
  };
}

type Lowered = Extract<LowerResult, { costPerStep: number }>;
type Docs = ReadonlyMap<string, string>;

function lowerOrReport(
  { ir, index }: ElaboratedEnvironment,
  docs: Docs,
  reporter: Reporter,
  place: Place,
): Lowered | null {
  const lowered = lowerEnvironment(ir, index, docs);
  if (lowered.program !== null) return lowered;
  const message = `more than ${limits.maxCostPerStep} instructions per step, or ${limits.maxTableEntries} values at once: nested loops multiply`;
  reporter.report('EDL504', place, message);
  return null;
}

function lowerStages(
  elaborated: ElaboratedEnvironment,
  docs: Docs,
  reporter: Reporter,
): CompiledStage[] | null {
  const stages: CompiledStage[] = [];
  for (const stage of elaborated.stages) {
    const place = { node: stage.node, property: 'name' };
    const lowered = lowerOrReport(stage.environment, docs, reporter, place);
    if (lowered === null) return null;
    const { name, forEvaluations } = stage.ir;
    const spec = specOf(stage.environment, lowered);
    const identity = identityOf(stage.environment.ir);
    stages.push({ name, doc: stage.doc, until: stage.until, forEvaluations, spec, identity });
  }
  return stages;
}

function specOf(
  { ir, index, parameters }: ElaboratedEnvironment,
  { program }: Lowered,
): CompiledEnvironment['spec'] {
  return {
    scenario: ir.scenario,
    parameters,
    program: program.code.length > 0 || program.regimes.length > 0 ? program : null,
    scripted: scriptedGroups(ir, index),
  };
}

/** Groups that npcs play; the checker saw to it that they have all agents of a group or none. */
function scriptedGroups(ir: EnvironmentIr, index: ManifestIndex): Record<string, string> {
  const controlled = new Set(ir.npcs.flatMap((npc) => npc.agents));
  const groups = index.manifest.groups.filter((group) => group.agents.some((agent) => controlled.has(agent)));
  return Object.fromEntries(groups.map((group) => [group.name, 'npc']));
}

/** Descriptions of what shares the space of names of a program. */
function docsOf(declarations: readonly Declaration[]): Docs {
  return new Map(
    declarations.flatMap((node): [string, string][] => {
      const kind = kindOf(node);
      return node.$type === 'Metric' || node.$type === 'Constraint'
        ? [[kind.nameOf(node), kind.docOf(node)]]
        : [];
    }),
  );
}
