/** Experiment files, studies and their runs: checking, supervising, the round loop, figures over seeds. */
export { type AblationRequest, readAblation } from './ablation/read-ablation.ts';
export { type CoachTools, findAskedCoach } from './asked-coach.ts';
export { type Comparison, compareRuns } from './compare.ts';
export { type ParsedExperiment, parseExperiment, requireExperiment } from './experiment.ts';
export type * from './experiment-types.ts';
export { nextBoundary } from './loop-state.ts';
export { type PlanRequest, planFile } from './plan/plan-file.ts';
export { listPlayable } from './plays/list-playable.ts';
export { type PlaySources, playRun } from './plays/play-run.ts';
export { readDiscounting } from './read-discounting.ts';
export { buildReports, type ReportRequest } from './report/build-report.ts';
export { readRunExperience, readRunSetting, runDirectory } from './round-context.ts';
export type { EdlServices, SupervisorOptions } from './services.ts';
export { createSupervisor } from './supervisor.ts';
export type * from './types.ts';
export { listStudyViews, readStudyView } from './views.ts';
export { createExperimentHost } from './workspace-host.ts';
