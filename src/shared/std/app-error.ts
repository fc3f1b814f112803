/**
 * Every expected failure of the world carries one of these codes. Tests assert codes; people read messages.
 * Add a code here before raising it: the union is closed on purpose.
 */
export const errorCodes = [
  'input.invalid',
  'input.unknownOption',
  'input.notFound',
  'workspace.notFound',
  'workspace.unreadable',
  'workspace.readOnly',
  'workspace.diskFull',
  'workspace.conflict',
  'edl.invalid',
  'edl.notOpen',
  'edl.stale',
  'experiment.invalid',
  'prompt.invalid',
  'scenario.unknown',
  'scenario.invalidParameter',
  'scenario.badLibrary',
  'vm.badProgram',
  'sim.addonMissing',
  'sim.addonMismatch',
  'sim.badSnapshot',
  'sim.badRecord',
  'sim.badFrame',
  'learner.nonfinite',
  'learner.badCheckpoint',
  'policy.invalid',
  'store.locked',
  'store.newerVersion',
  'store.corrupt',
  'store.constraint',
  'store.notFound',
  'engine.unavailable',
  'engine.busy',
  'rpc.unknownCall',
  'rpc.badArguments',
  'rpc.tooLarge',
  'rpc.unauthorized',
  'rpc.disconnected',
  'run.failed',
  'run.cancelled',
  'trainer.died',
  'modelHost.died',
  'model.notFound',
  'model.invalid',
  'model.outOfMemory',
  'model.contextOverflow',
  'model.truncated',
  'model.timeout',
  'model.busy',
  'model.cancelled',
  'coach.badOutput',
  'coach.noProposal',
  'coach.refused',
  'server.portInUse',
  'desktop.unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What crosses a process boundary in place of an AppError. */
export interface ErrorPayload {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * An expected failure: the message says what went wrong, where, and what to do about it.
 * `data` is structured detail that survives serialisation (paths, ranges, figures).
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.data = options.data;
  }

  toPayload(): ErrorPayload {
    return { code: this.code, message: this.message, data: this.data };
  }

  static fromPayload(payload: ErrorPayload): AppError {
    return new AppError(payload.code, payload.message, { data: payload.data });
  }

  /** Wraps anything thrown; an AppError passes through unchanged, all else becomes `internal`. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new AppError('internal', message, { cause: thrown });
  }
}
