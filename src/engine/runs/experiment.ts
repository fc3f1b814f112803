import { AppError } from '../../shared/std/app-error.ts';
import { readDocument, schemaProblems, type YamlDocument } from '../yaml/index.ts';
import { checkArm, checkObjective } from './experiment-checks.ts';
import { resolveCoach } from './experiment-coach.ts';
import { reportUnreadSettings } from './experiment-coach-settings.ts';
import { checkHeldOut } from './experiment-held-out.ts';
import { reportUnusedSettings, resolveLearner } from './experiment-learner.ts';
import { holdsUnmended, mendFile } from './experiment-mend.ts';
import { type ExperimentFile, evaluateDefaults, experimentSchema } from './experiment-schema.ts';
import type {
  ArmSpec,
  EnvironmentSource,
  Experiment,
  ExperimentHost,
  ExperimentProblem,
} from './experiment-types.ts';
import { type CheckContext, loadEnvironment, readOrReport } from './load-environment.ts';
import { suggestKeyIn } from './suggest-key.ts';

export interface ParsedExperiment {
  /** Null while there are problems. */
  readonly experiment: Experiment | null;
  readonly problems: readonly ExperimentProblem[];
}

/** Reads and checks an experiment file wholly; everything that can be known before a start is. Throws: never. */
export function parseExperiment(text: string, path: string, host: ExperimentHost): ParsedExperiment {
  const document = readDocument(text);
  if (document.problems.length > 0) return { experiment: null, problems: document.problems };
  const parsed = experimentSchema.safeParse(document.value, { reportInput: false });
  if (parsed.success) return checkFile(document, parsed.data, text, path, { host, isMended: false });
  const problems = schemaProblems(
    document,
    experimentSchema,
    parsed.error,
    suggestKeyIn(document.value, host.learners),
  );
  const mended = mendFile(document.value, parsed.error);
  const others =
    mended === null ? [] : checkFile(document, mended, text, path, { host, isMended: true }).problems;
  return { experiment: null, problems: [...problems, ...others.filter(({ place }) => holdsUnmended(place))] };
}

function checkFile(
  document: YamlDocument,
  file: ExperimentFile,
  text: string,
  path: string,
  { host, isMended }: Pick<CheckContext, 'host' | 'isMended'>,
): ParsedExperiment {
  const problems: ExperimentProblem[] = [];
  const context: CheckContext = {
    host,
    file,
    isMended,
    loaded: new Map(),
    report: (place, message) => {
      const problem = document.problemAt(place, message);
      const isKnown = problems.some((other) => other.place === problem.place && other.message === message);
      if (!isKnown) problems.push(problem);
    },
  };
  const experiment = resolve(context, text, path);
  return problems.length > 0 ? { experiment: null, problems } : { experiment, problems: [] };
}

/** Like parseExperiment. Throws: experiment.invalid with every problem in the message and in `data`. */
export function requireExperiment(text: string, path: string, host: ExperimentHost): Experiment {
  const { experiment, problems } = parseExperiment(text, path, host);
  if (experiment !== null) return experiment;
  const lines = problems.map(({ line, column, message }) => `  ${path}:${line}:${column} ${message}`);
  throw new AppError('experiment.invalid', `${path} cannot be run:\n${lines.join('\n')}`, { data: problems });
}

function resolve(context: CheckContext, text: string, path: string): Experiment | null {
  const { file } = context;
  const common = loadEnvironment(context, file.environment, ['environment']);
  const objectiveEnvironment =
    file.objective.environment === undefined
      ? common
      : loadEnvironment(context, file.objective.environment, ['objective', 'environment']);
  const arms = armEntries(file).map((entry, index) => resolveArm(context, entry, index, common));
  if (common === null || objectiveEnvironment === null) return null;
  const objective = checkObjective(context, objectiveEnvironment, common);
  for (const [index, arm] of arms.entries())
    if (arm !== null) checkArm(context, arm, index, objectiveEnvironment);
  const complete = arms.filter((arm) => arm !== null);
  if (complete.length === arms.length)
    reportUnusedSettings(
      context,
      complete.map(({ learner }) => learner),
    );
  if (complete.length === arms.length && !context.isMended && context.host.isUnderway !== true)
    reportUnreadSettings(context, complete);
  if (objective === null || complete.length < arms.length) return null;
  const heldOut = checkHeldOut(context, objective, complete);
  return {
    name: file.name,
    text,
    path,
    budget: file.budget,
    seeds: file.seeds,
    objective,
    evaluateEverySteps:
      file.evaluate?.every ?? Math.max(1, Math.floor(file.budget.steps / evaluateDefaults.perRun)),
    opponents: file.opponents ?? {},
    arms: complete,
    heldOut,
    prompts: promptsOf(context, complete),
  };
}

type ArmEntry = NonNullable<ExperimentFile['arms']>[number];

function armEntries(file: ExperimentFile): readonly ArmEntry[] {
  if (file.arms !== undefined) return file.arms;
  return [{ name: file.coach === undefined || file.coach === 'none' ? 'fixed' : 'coached' }];
}

function resolveArm(
  context: CheckContext,
  entry: ArmEntry,
  index: number,
  common: EnvironmentSource | null,
): ArmSpec | null {
  const environment =
    entry.environment === undefined
      ? common
      : loadEnvironment(context, entry.environment, ['arms', index, 'environment']);
  const learner = resolveLearner(context, index);
  if (environment === null || learner === null) return null;
  return {
    name: entry.name,
    environment,
    learner,
    coach: resolveCoach(context.file.coach, entry.coach, context.host.inheritance),
  };
}

function promptsOf(context: CheckContext, arms: readonly ArmSpec[]): Experiment['prompts'] {
  const paths = new Set(arms.flatMap((arm) => arm.coach.prompt ?? []));
  return [...paths].flatMap((path) => {
    // What cannot be read has been reported by then.
    const text = readOrReport({ ...context, report: () => undefined }, path, []);
    return typeof text === 'string' ? [{ path, text }] : [];
  });
}
