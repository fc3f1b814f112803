import { z } from 'zod';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { Hush } from './hush.ts';

/** A whole number that an endpoint tells; 0 where it tells none that can be one. */
const count = z.int().min(0).max(1e9).catch(0);

const completion = z.object({
  model: z.string().max(200).nullable().catch(null),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish().catch(null) }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count })
    .catch({ prompt_tokens: 0, completion_tokens: 0 }),
});

/** What is taken of a completion. */
export interface ChatReply {
  readonly text: string;
  /** What the endpoint says it asked. */
  readonly model: string | null;
  readonly isCut: boolean;
  /** 0 where the endpoint does not tell. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** Reads a completion. Throws: model.invalid where it is none; coach.badOutput where the model did not answer in it. */
export function readReply(text: string, host: string, hush: Hush): ChatReply {
  const parsed = completion.safeParse(parseJson(text, hush));
  if (!parsed.success)
    throw new AppError('model.invalid', `${host} answers something that is no chat completion`);
  const { model, choices, usage } = parsed.data;
  const { message, finish_reason } = choices[0] as (typeof choices)[number];
  const isCut = finish_reason === 'length';
  if (!isCut && (message.content == null || message.content === '')) {
    const why = told(message.refusal ?? finish_reason ?? '');
    throw new AppError(
      'coach.badOutput',
      `the model at ${host} wrote nothing${why === '' ? '' : `: ${why}`}`,
    );
  }
  const { prompt_tokens: promptTokens, completion_tokens: outputTokens } = usage;
  return { text: message.content ?? '', model, isCut, promptTokens, outputTokens };
}

const refusal = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, param: '', code: '' })),
    z.object({
      message: z.string().catch(''),
      param: z.string().catch(''),
      code: z.string().catch(''),
    }),
  ]),
});

/** What an endpoint says of its refusal; empty where it says nothing that can be read. */
export function readRefusal(
  text: string,
  hush: Hush,
): {
  readonly message: string;
  readonly param: string;
  readonly code: string;
} {
  const parsed = refusal.safeParse(parseJson(text, hush));
  return parsed.success ? parsed.data.error : { message: '', param: '', code: '' };
}

/** Somebody else's words, fit for a message: one line, bounded. */
export function told(words: string): string {
  const line = words
    .slice(0, 2000)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function parseJson(text: string, hush: Hush): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? hush(value) : value));
  } catch {
    return undefined;
  }
}
