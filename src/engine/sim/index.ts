/** The simulator as the rest of the engine sees it: scenarios, batches of copies, traces, speed. */

export { type ScenarioLibrary, scenarioLibraries } from './binding.ts';
export { loadScenarioLibrary, scenarioManifest, scenarioNames, verifyProgram } from './catalogue.ts';
export { checkScenario, type ScenarioCheck } from './check-scenario.ts';
export { createVecEnv } from './create-vec-env.ts';
export { type MeasuredSpeed, measureSpeed } from './measure-speed.ts';
export { type EpisodeActor, type EpisodeMoment, type EpisodePlay, playEpisode } from './play-episode.ts';
export { type FramePlay, type FrameSteps, playFrames } from './play-frames.ts';
export { plainSpec, type ReferenceScenario, referenceScenario } from './reference-scenario.ts';
export { type TraceStep, traceCase } from './trace-case.ts';
