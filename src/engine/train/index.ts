export { findDamage } from './checkpoint-file.ts';
export type { TrainerDependencies } from './dependencies.ts';
export type * from './protocol.ts';
export {
  type RecordFile,
  type RecordHeader,
  type RecordStep,
  type RecordStretch,
  readRecord,
  spreadSteps,
  stretchesOf,
} from './record-file.ts';
export { serveTrainer, type TrainerPort } from './serve-trainer.ts';
export { TrainerSession } from './trainer-session.ts';
export type { WeightState } from './weight-follower.ts';
