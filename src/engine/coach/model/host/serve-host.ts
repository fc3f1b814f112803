import { constants, setPriority } from 'node:os';
import type { ErrorPayload } from '../../../../shared/std/app-error.ts';
import { AppError } from '../../../../shared/std/app-error.ts';
import { assertNever } from '../../../../shared/std/assert-never.ts';
import { embedTexts } from './embed-texts.ts';
import { generateText, sampleTexts } from './generate-text.ts';
import { LlamaSession } from './llama-session.ts';
import type { HostAnswer, HostRequest, LoadAnswer, LoadRequest, WorkAnswer } from './protocol.ts';
import { scoreOptions } from './score-options.ts';
import { translateError } from './translate-error.ts';

type WorkRequest = Exclude<HostRequest, { verb: 'cancel' }>;

/** Serves model requests over the process channel until the parent is gone. */
export function serveModelHost(channel: NodeJS.Process): void {
  lowerPriority();
  const host = new Host((answer) => channel.send?.(answer));
  channel.on('message', (message) => host.receive(message as HostRequest));
  channel.on('disconnect', () => process.exit(0));
}

class Host {
  readonly #send: (answer: HostAnswer) => void;
  readonly #controllers = new Map<number, AbortController>();
  #session: LlamaSession | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(send: (answer: HostAnswer) => void) {
    this.#send = send;
  }

  receive(request: HostRequest): void {
    if (request.verb === 'cancel') {
      this.#controllers.get(request.id)?.abort();
      return;
    }
    const controller = new AbortController();
    this.#controllers.set(request.id, controller);
    this.#tail = this.#tail.then(() => this.#answer(request, controller));
  }

  async #answer(request: WorkRequest, controller: AbortController): Promise<void> {
    try {
      controller.signal.throwIfAborted();
      this.#send({ id: request.id, ok: true, value: await this.#work(request, controller.signal) });
    } catch (thrown) {
      const path = request.verb === 'load' ? request.load.path : (this.#session?.path ?? '');
      this.#send({
        id: request.id,
        ok: false,
        error: payloadOf(translateError(thrown, path, controller.signal.aborted)),
      });
    } finally {
      this.#controllers.delete(request.id);
    }
  }

  async #work(request: WorkRequest, signal: AbortSignal): Promise<WorkAnswer> {
    switch (request.verb) {
      case 'load':
        return this.#load(request.load, signal);
      case 'score':
        return scoreOptions(this.#loaded(), request.request, signal);
      case 'generate':
        return generateText(this.#loaded(), request.request, signal);
      case 'sample':
        return sampleTexts(this.#loaded(), request.request, signal);
      case 'embed':
        return embedTexts(this.#loaded(), request.request, signal);
      default:
        return assertNever(request);
    }
  }

  async #load(load: LoadRequest, signal: AbortSignal): Promise<LoadAnswer> {
    const before = this.#session;
    // What fails to go away is not asked again.
    this.#session = null;
    await before?.dispose();
    this.#session = await LlamaSession.open(load, signal);
    return this.#session.describe();
  }

  #loaded(): LlamaSession {
    if (this.#session === null) throw new AppError('model.notFound', 'no model is loaded: load one first');
    return this.#session;
  }
}

/** `data` of a foreign error may hold what cannot be sent; ours is plain. */
function payloadOf(error: AppError): ErrorPayload {
  return error.toPayload();
}

/** Training comes first: the host yields the cores. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Not permitted everywhere; the host then runs at normal priority, which is only slower for training.
  }
}
