import type {
  GenerateAnswer,
  GenerateRequest,
  ModelClients,
  ModelIdentity,
  ScoreRequest,
} from '../../src/engine/coach/types.ts';

/** A scripted model: what it answers to a generation, and how much it likes an option. */
export interface FakeModel extends ModelClients {
  readonly generations: GenerateRequest[];
  readonly scored: ScoreRequest[];
  /** Texts that it was asked the vectors of. */
  readonly embedded: string[];
}

export interface FakeModelOptions {
  readonly mode?: ModelIdentity['mode'];
  readonly contextLength?: number;
  readonly sha256?: string;
  /** Answers in turn; an Error is thrown; the last one repeats. */
  readonly answers?: readonly (string | Partial<GenerateAnswer> | Error)[];
  /** log p of an option, given whether the prompt shows the snapshot. */
  readonly like?: (option: string, isInformed: boolean) => number;
  /** Vector of a text, of unit length. */
  readonly embed?: (text: string) => readonly number[];
  readonly loadError?: Error;
}

export function fakeModel(options: FakeModelOptions = {}): FakeModel {
  const { mode = 'rank', answers = ['{}'], like = () => -1, embed = () => [1, 0], loadError } = options;
  const generations: GenerateRequest[] = [];
  const scored: ScoreRequest[] = [];
  const embedded: string[] = [];
  const identity: ModelIdentity = {
    path: 'm.gguf',
    name: 'fake',
    sha256: options.sha256 ?? 'f'.repeat(64),
    parameters: 1000,
    mode,
    contextLength: options.contextLength ?? 4096,
  };
  return {
    generations,
    scored,
    embedded,
    client: () => ({
      async load() {
        if (loadError !== undefined) throw loadError;
        return identity;
      },
      async score(request) {
        scored.push(request);
        const isInformed = request.prefix.includes('Mission:');
        return {
          variants: request.variants.map((variant) =>
            variant.options.map((option) => ({ logProb: like(option.trim(), isInformed), numTokens: 1 })),
          ),
          promptTokens: 100,
          scoredTokens: 10,
          durationMs: 5,
        };
      },
      async generate(request) {
        const answer = answers[Math.min(generations.length, answers.length - 1)] ?? '';
        generations.push(request);
        if (answer instanceof Error) throw answer;
        const given = typeof answer === 'string' ? { text: answer } : answer;
        return {
          text: '',
          logProbs: [-0.1],
          promptTokens: 100,
          outputTokens: 10,
          stopReason: 'end',
          durationMs: 5,
          ...given,
        };
      },
      sample: () => Promise.reject(new Error('a coach does not sample')),
      async embed({ texts }) {
        embedded.push(...texts);
        return { vectors: texts.map(embed), promptTokens: texts.length, durationMs: 5 };
      },
    }),
  };
}
