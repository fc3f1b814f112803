/** The environment language over the scenarios of this build, on the caller's thread and on one of its own. */
export { type ReadBaseFile, workspaceBaseFiles } from './base-files.ts';
export { type Language, languageHere } from './language.ts';
export { LanguageThread } from './language-thread.ts';
export { compileSpec, compileSpecWith, hostWith, scenarioHost } from './scenario-host.ts';
export { createTextTools, type TextTools } from './text-tools.ts';
