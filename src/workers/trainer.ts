import { createLearner } from '../engine/learn/index.ts';
import { evaluatePolicies, openPolicy } from '../engine/policy/index.ts';
import { createVecEnv } from '../engine/sim/index.ts';
import { serveTrainer } from '../engine/train/index.ts';
import { ignoreTerminalSignals } from '../shared/std/terminal-signals.ts';

ignoreTerminalSignals(process);

/** The trainer process: one run's training over the addon and ONNX Runtime, led by its parent's messages. */
serveTrainer(process, {
  createVecEnv,
  createLearner,
  openPolicy,
  evaluate: evaluatePolicies,
  now: () => performance.now(),
});
