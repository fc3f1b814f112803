import type { StudyView } from '../../shared/contract/runs.ts';
import { commandName, typedPath } from './command-name.ts';
import type { CommandContext } from './context.ts';
import { findStudy } from './find-by-id.ts';
import { followStudy } from './follow-study.ts';
import type { EngineSession } from './sessions.ts';
import { StudyProgress } from './study-progress.ts';

/** An experiment file and the workspace it belongs to. */
export interface Target {
  readonly root: string;
  readonly experimentPath: string;
}

export interface StartOptions {
  readonly seed?: number;
  readonly arm?: string;
  readonly resume?: string;
}

/** The option that names a target's workspace, as it is typed behind a command. */
export const workspaceArgument = ({ root }: Pick<Target, 'root'>) => ` --workspace ${typedPath(root)}`;

/** Starts or resumes a study and follows it on this terminal, or as lines of JSON; resolves to its last view. */
export function followOnTerminal(
  engine: Pick<EngineSession, 'client' | 'unhurried'>,
  target: Target,
  options: StartOptions,
  context: CommandContext,
): Promise<StudyView> {
  const { output, signal } = context;
  const { client } = engine;
  let progress: StudyProgress | null = null;
  let studyId: string | null = null;
  const unsubscribe = client.on('log.appended', ({ level, source, runId, message }) => {
    // Before the study is known, only what this command itself takes up can be spoken of.
    const isOurs = studyId === null || runId === null || runId.startsWith(`${studyId}.`);
    if (level === 'warning' && source === 'engine' && isOurs) output.note(`gymwright: warning: ${message}`);
  });
  const start = async () =>
    client.runs.start({
      experimentPath: target.experimentPath,
      ...(options.arm === undefined ? {} : { arm: options.arm }),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.resume === undefined
        ? {}
        : { resume: findStudy(await client.runs.list({}), options.resume).studyId }),
    });
  return followStudy(
    engine,
    start,
    {
      onStart: (study) => {
        studyId = study.studyId;
        if (output.isJson) return;
        const review = `${commandName()} coach review${workspaceArgument(target)}`;
        progress = new StudyProgress(output.streams.stderr, study.runs, review);
      },
      onRun: (run) => progress?.onRun(run, performance.now()),
      onLine: (line) => (output.isJson ? output.json(line) : progress?.onLine(line)),
      onSilence: () =>
        output.note(
          'gymwright: the engine that holds this workspace does not answer; it may be stopped. `fg` in its terminal lets it go ' +
            'on; it is waited for (interrupt to end that)',
        ),
      onStopping: () => output.note('stopping after a checkpoint … (interrupt again to end at once)'),
    },
    signal,
  ).finally(() => {
    unsubscribe();
    progress?.finish();
  });
}
