/** The simulator as the rest of the engine sees it: scenarios, batches of copies, traces, speed. */
export { loadScenarioLibrary, scenarioManifest, scenarioNames, verifyProgram } from './catalogue.ts';
export { checkScenarioLibrary, type ScenarioCheck } from './check-library.ts';
export { createVecEnv } from './create-vec-env.ts';
export { measureSpeed } from './measure-speed.ts';
export { type TraceStep, traceCase } from './trace-case.ts';
