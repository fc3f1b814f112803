import type {
  Llama,
  LlamaContext,
  LlamaContextSequence,
  LlamaEmbeddingContext,
  LlamaModel,
  Token,
} from 'node-llama-cpp';
import { AppError } from '../../../../shared/std/app-error.ts';
import { availableMemory } from '../available-memory.ts';
import { requireMemory } from '../estimate-memory.ts';
import { layersOnCard, openContext } from './open-context.ts';
import type { LoadAnswer, LoadRequest } from './protocol.ts';

type LlamaLibrary = typeof import('node-llama-cpp');

interface Opened {
  readonly library: LlamaLibrary;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
}

/** One loaded model with its context. Not re-entrant: the host serves one request at a time. */
export class LlamaSession {
  readonly path: string;
  readonly library: LlamaLibrary;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly #request: LoadRequest;
  #context: LlamaContext;

  private constructor(request: LoadRequest, { library, llama, model, context }: Opened) {
    this.path = request.path;
    this.library = library;
    this.llama = llama;
    this.model = model;
    this.#request = request;
    this.#context = context;
  }

  static async open(request: LoadRequest, signal: AbortSignal): Promise<LlamaSession> {
    // ESM only and heavy: imported on first use, in the host process alone.
    const library = await import('node-llama-cpp');
    const llama = await sharedLlama(library, request.gpu !== 0);
    requireCard(llama, request.gpu);
    // With a graphics card the library itself knows what goes where and what is free there.
    if (llama.gpu === false) requireMemory(request.path, request.memory, availableMemory());
    const model = await llama.loadModel({
      modelPath: request.path,
      gpuLayers: layersOnCard(request),
      loadSignal: signal,
      checkTensors: true,
    });
    try {
      const context = await openContext(model, request, signal);
      return new LlamaSession(request, { library, llama, model, context });
    } catch (error) {
      await model.dispose();
      throw error;
    }
  }

  /** As planned; llama.cpp may open a few more. */
  get contextTokens(): number {
    return this.#request.contextTokens;
  }

  describe(): LoadAnswer {
    const { gpuLayers } = this.model;
    const { gpu } = this.llama;
    return { gpu: gpu === false ? null : gpu, gpuLayers };
  }

  tokenize(text: string): Token[] {
    return this.model.tokenize(text);
  }

  /**
   * Empty sequences in a context of their own. A used context keeps its cells where earlier requests left them, and
   * sums over cells in another order give other last bits: an answer must depend on its request alone.
   */
  async freshSequences(count: number, signal: AbortSignal): Promise<LlamaContextSequence[]> {
    await this.#renewContext(count, signal);
    return Array.from({ length: count }, () => this.#context.getSequence());
  }

  /** One empty sequence in a context of its own. */
  async freshSequence(signal: AbortSignal): Promise<LlamaContextSequence> {
    await this.#renewContext(1, signal);
    return this.#context.getSequence();
  }

  async #renewContext(sequences: number, signal: AbortSignal): Promise<void> {
    await this.#context.dispose();
    this.#context = await openContext(this.model, this.#request, signal, sequences);
  }

  /** A context for the vector of one text, which has to fit into one batch. The caller disposes of it. */
  embeddingContext(contextSize: number, signal: AbortSignal): Promise<LlamaEmbeddingContext> {
    const { threads } = this.#request;
    return this.model.createEmbeddingContext({
      ...{ contextSize, batchSize: contextSize, threads },
      createSignal: signal,
    });
  }

  requireRoom(promptTokens: number, extraTokens: number): void {
    const needed = promptTokens + extraTokens;
    if (needed <= this.contextTokens) return;
    const message =
      `the prompt has ${promptTokens} tokens and needs ${extraTokens} more for the answer, but the context of ${this.path} holds ` +
      `${this.contextTokens}. Shorten the prompt file or choose a model with a longer context.`;
    throw new AppError('model.contextOverflow', message, {
      data: { promptTokens, extraTokens, contextTokens: this.contextTokens },
    });
  }

  async dispose(): Promise<void> {
    await this.#context.dispose();
    await this.model.dispose();
  }
}

/** Layers for a card that is not there would be computed without one, and nobody would know. */
function requireCard(llama: Llama, gpu: LoadRequest['gpu']): void {
  if (gpu === 'auto' || gpu === 0 || llama.gpu !== false) return;
  throw new AppError(
    'input.invalid',
    `llama.gpu of the coach block asks for ${gpu} layers on a graphics card, and llama.cpp finds none that it can use here: set it to 0 or auto`,
  );
}

const llamas = new Map<boolean, Promise<Llama>>();

/** One for all models with a graphics card, one for those without: what is loaded once stays. */
function sharedLlama(library: LlamaLibrary, mayUseCard: boolean): Promise<Llama> {
  const known = llamas.get(mayUseCard);
  if (known !== undefined) return known;
  const opened = library.getLlama({
    gpu: mayUseCard ? 'auto' : false,
    build: 'never',
    skipDownload: true,
    logLevel: library.LlamaLogLevel.error,
    logger: (_level, message) => process.stderr.write(`${message.trimEnd()}\n`),
  });
  llamas.set(mayUseCard, opened);
  return opened;
}
