import { AppError } from '../../shared/std/app-error.ts';
import { assertNever } from '../../shared/std/assert-never.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { Gate } from './gate.ts';
import type {
  RoundReport,
  TrainerCommand,
  TrainerEvent,
  TrainerInit,
  TrainerReady,
  TrialResult,
} from './protocol.ts';
import { type RunControl, TrainerRun } from './trainer-run.ts';
import { cancelled, TrialBench, type TrialCommand } from './trial.ts';

type Result = TrainerReady | RoundReport | TrialResult | null;

/** Serves the protocol for one run: one command at a time trains, the others act between its iterations. */
export class TrainerSession {
  readonly #deps: TrainerDependencies;
  readonly #emit: (event: TrainerEvent) => void;
  readonly #stop = new AbortController();
  readonly #gate = new Gate(this.#stop.signal);
  #run: TrainerRun | null = null;
  #bench: TrialBench | null = null;
  #working: Promise<void> | null = null;

  constructor(deps: TrainerDependencies, emit: (event: TrainerEvent) => void) {
    this.#deps = deps;
    this.#emit = emit;
  }

  /** Takes a command; its answer is an event with the same id. Throws: never. */
  handle(command: TrainerCommand): void {
    switch (command.type) {
      case 'init':
        this.#work(command.id, () => this.#open(command.init));
        break;
      case 'train':
        this.#work(command.id, () => this.#opened().train(command, this.#control()));
        break;
      case 'takeUp':
        this.#work(command.id, () => this.#opened().takeUp(command.checkpoint));
        break;
      case 'trial':
        this.#work(command.id, () => this.#tryOut(command));
        break;
      case 'pause':
        this.#gate.close();
        this.#answer(command.id, null);
        break;
      case 'unpause':
        this.#gate.open();
        this.#answer(command.id, null);
        break;
      case 'stop':
        void this.close().then(() => this.#answer(command.id, null));
        break;
      default:
        assertNever(command);
    }
  }

  /** Lets the command in progress end, then frees everything. */
  async close(): Promise<void> {
    this.#stop.abort(cancelled());
    await this.#working;
    await this.#bench?.dispose();
    await this.#run?.dispose();
    this.#run = null;
  }

  async #open(init: TrainerInit): Promise<TrainerReady> {
    if (this.#run !== null) throw new AppError('input.invalid', 'this trainer has its run already');
    this.#run = await TrainerRun.open(this.#deps, init);
    this.#bench = new TrialBench(this.#deps, init);
    return this.#run.ready;
  }

  async #tryOut(command: TrialCommand): Promise<TrialResult> {
    const { origin } = this.#opened();
    if (origin === null || this.#bench === null) {
      throw new AppError(
        'input.invalid',
        'a trial needs a run that has trained: there is nothing to branch from',
      );
    }
    return this.#bench.run(command, origin, this.#control());
  }

  #opened(): TrainerRun {
    if (this.#run === null) throw new AppError('input.invalid', 'a trainer takes "init" first');
    return this.#run;
  }

  #control(): RunControl {
    return {
      signal: this.#stop.signal,
      emit: this.#emit,
      passGate: (onHold) => this.#gate.pass(onHold),
    };
  }

  #work(id: number, work: () => Promise<Result>): void {
    if (this.#working !== null) {
      this.#fail(id, new AppError('engine.busy', 'the trainer is at work; one command at a time'));
      return;
    }
    this.#working = this.#finish(id, work());
  }

  /** Answers a command once it is no longer at work, so that the next one can follow at once. */
  async #finish(id: number, work: Promise<Result>): Promise<void> {
    try {
      const result = await work;
      this.#working = null;
      this.#answer(id, result);
    } catch (thrown) {
      this.#working = null;
      this.#fail(id, thrown);
    }
  }

  #answer(id: number, result: Result): void {
    this.#emit({ type: 'done', id, result });
  }

  #fail(id: number, thrown: unknown): void {
    this.#emit({ type: 'failed', id, error: AppError.from(thrown).toPayload() });
  }
}
