/** An environment's state as a short text: task-directed, quantised, the same while nothing that matters changes. */

export { type DescribedStep, describePlay, type PlayOptions } from './describe-play.ts';
export {
  type DescriberState,
  type Description,
  describeReadings,
  type Readings,
} from './describe-readings.ts';
export {
  checkTemplate,
  createDescriber,
  type Describer,
  type DescriberHost,
  type StateSource,
  type TemplateSource,
} from './describer.ts';
export { parseTemplate } from './parse-template.ts';
export type { DescribedEnvironment } from './probe-program.ts';
export type { Slot, Template } from './template.ts';
export { openTemplates, type TemplateFiles } from './template-files.ts';
