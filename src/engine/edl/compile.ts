import type { Diagnostic } from '../../shared/contract/edl.ts';
import { environmentMetrics } from '../../shared/rl/environment-metrics.ts';
import { type CheckedText, checkParsed, internalDiagnostic } from './check-text.ts';
import { describeDeclaration } from './declaration-info.ts';
import { kindOf } from './declarations/registry.ts';
import { capacitiesInForce } from './elaborate/capacities.ts';
import type { ElaboratedEnvironment } from './elaborate/environment.ts';
import type { ElaboratedStage } from './elaborate/stages.ts';
import type { Declaration } from './generated/ast.ts';
import { identityOf } from './identity.ts';
import type { EnvironmentIr } from './ir.ts';
import { costliest } from './lower/costliest.ts';
import { LoweringBudget } from './lower/limits.ts';
import { type LowerOptions, type LowerResult, lowerEnvironment, type ProgramDocs } from './lower/program.ts';
import { sharedProgram } from './lower/stage-program.ts';
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
  const lowered = lowerChecked(checked, reporter);
  return {
    diagnostics: reporter.sorted(),
    environment: lowered === null ? null : describe(checked, lowered),
  };
}

/** What a check tells an author. */
export interface Diagnosis {
  readonly diagnostics: Diagnostic[];
  /** Instructions a step takes; null where the text has errors. */
  readonly costPerStep: number | null;
}

/**
 * Everything that compileParsed would report, without making what it compiles. `checkpoint` is called between declarations;
 * what it throws ends the work. Throws: what a broken checker throws.
 */
export function diagnoseParsed(
  parsed: ParsedText,
  host: EdlHost,
  path: string | undefined,
  checkpoint: () => void,
): Diagnosis {
  const { reporter, checked } = checkParsed(parsed, host, path, checkpoint);
  const lowered = checked === null || reporter.hasErrors ? null : lowerChecked(checked, reporter, checkpoint);
  return { diagnostics: reporter.sorted(), costPerStep: lowered?.main.costPerStep ?? null };
}

/** The environment and its stages, in the order of the text. */
interface LoweredText {
  readonly main: Lowered;
  readonly stages: readonly { readonly stage: ElaboratedStage; readonly lowered: Lowered }[];
}

function lowerChecked(
  { resolved, elaborated }: CheckedText,
  reporter: Reporter,
  checkpoint?: () => void,
): LoweredText | null {
  const options = { docs: docsOf(resolved.declarations), budget: new LoweringBudget(), checkpoint };
  const report = { reporter, declarations: resolved.declarations };
  const main = lowerOrReport(elaborated, options, report, { node: resolved.ast, property: 'name' });
  if (main === null) return null;
  const stages: { stage: ElaboratedStage; lowered: Lowered }[] = [];
  for (const stage of elaborated.stages) {
    const place = { node: stage.node, property: 'name' };
    const lowered =
      sharedProgram(elaborated, main, stage.environment) ??
      lowerOrReport(stage.environment, options, report, place);
    if (lowered === null) return null;
    stages.push({ stage, lowered });
  }
  return { main, stages };
}

function describe({ resolved, elaborated }: CheckedText, { main, stages }: LoweredText): CompiledEnvironment {
  const { ir, index, issues, regimes } = elaborated;
  const spec = specOf(elaborated, main);
  return {
    name: resolved.ast.name,
    scenario: ir.scenario,
    mission: resolved.declarations.find((node) => node.$type === 'Mission')?.text ?? '',
    spec,
    identity: identityOf(ir),
    ir,
    costPerStep: main.costPerStep,
    declarations: resolved.ast.declarations.map(describeDeclaration),
    issues,
    metrics: environmentMetrics(index.manifest, spec.program).slice(index.manifest.metrics.length),
    regimes,
    stages: stages.map(({ stage, lowered }) => describeStage(stage, lowered)),
    capacities: capacitiesInForce(index, elaborated.parameters),
    manifest: index.manifest,
  };
}

type Lowered = Extract<LowerResult, { costPerStep: number }>;

function lowerOrReport(
  { ir, index }: ElaboratedEnvironment,
  options: LowerOptions,
  { reporter, declarations }: { readonly reporter: Reporter; readonly declarations: readonly Declaration[] },
  place: Place,
): Lowered | null {
  const lowered = lowerEnvironment(ir, index, options);
  if (lowered.program !== null) return lowered;
  const most = costliest(ir, index);
  const node = declarations.find((candidate) => {
    const kind = kindOf(candidate);
    return kind.keyword === most?.kind && kind.nameOf(candidate) === most.name;
  });
  const where = most === null ? '' : `; the costliest is ${most.kind} '${most.name}'${most.why}`;
  const under = place.node.$type === 'Stage' ? 'under the settings of a stage, ' : '';
  const at = node === undefined ? place : { node, property: 'name' };
  reporter.report('EDL504', at, `${under}${lowered.passed}${where}`);
  return null;
}

function describeStage({ ir, doc, until, environment }: ElaboratedStage, lowered: Lowered): CompiledStage {
  return {
    name: ir.name,
    doc,
    until,
    forEvaluations: ir.forEvaluations,
    spec: specOf(environment, lowered),
    identity: identityOf(environment.ir),
  };
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
function docsOf(declarations: readonly Declaration[]): ProgramDocs {
  return new Map(
    declarations.flatMap((node): [string, string][] => {
      const kind = kindOf(node);
      return node.$type === 'Metric' || node.$type === 'Constraint'
        ? [[kind.nameOf(node), kind.docOf(node)]]
        : [];
    }),
  );
}
