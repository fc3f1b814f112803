import { openToyEngine } from './toy-workspace.ts';

/** An engine process over a toy workspace: starts its study, or takes up the one that is there, and ends with it. */
const root = process.argv[2] ?? '';
const { supervisor, close } = openToyEngine(root, { checkpointEveryMs: 30 });
const existing = supervisor.list()[0];
const { studyId } =
  existing === undefined
    ? await supervisor.start({ experimentPath: 'experiments/toy.yaml' })
    : await supervisor.resume(existing.studyId);
process.stdout.write('at work\n');
await supervisor.whenSettled(studyId);
await close();
