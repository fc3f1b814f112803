/** The environment language over the scenarios of this build, on the caller's thread and on one of its own. */
export { LanguageThread } from './language-thread.ts';
export { compileSpec, scenarioHost } from './scenario-host.ts';
export { serveTextTools } from './serve-text-tools.ts';
export { type TextTools, textTools } from './text-tools.ts';
