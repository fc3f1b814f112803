import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { GenerateAnswer, GenerateRequest } from '../../types.ts';
import { readRefusal, readReply, told } from './chat-reply.ts';
import { chatRequest, type OptionalParameter, refusedParameter } from './chat-request.ts';
import type { Endpoint } from './endpoint-url.ts';
import { type Hush, hushing } from './hush.ts';
import { type PostReply, post } from './post.ts';

/** An answer with what came of asking for it; it goes on record as a whole. */
export interface HttpAnswer extends GenerateAnswer {
  readonly endpoint: {
    /** What the endpoint says it asked. */
    readonly model: string | null;
    /** Requests that it took. */
    readonly requests: number;
    /** Parameters that the endpoint did not take; `response_format` is the JSON schema. */
    readonly refused: readonly OptionalParameter[];
  };
}

/** How an endpoint is asked. */
export interface AskOptions {
  readonly model: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** First wait before another attempt; each next one is twice as long. */
  readonly backOffMs?: number;
}

/** Failures that are waited out at most: an endpoint that is busy or restarts. */
const maxFailures = 4;
const maxWaitMs = 30_000;

/**
 * Asks for one chat completion. What the endpoint does not take of the parameters is left out, each at most once; where it is busy
 * or gone it is asked again, later each time. All of it within the time for one answer.
 *
 * Throws: input.invalid (address, key), model.notFound, model.invalid, model.contextOverflow, model.timeout, model.cancelled,
 * coach.badOutput. No message holds the key, whatever the endpoint says.
 */
export async function askEndpoint(
  endpoint: Endpoint,
  request: GenerateRequest,
  options: AskOptions,
): Promise<HttpAnswer> {
  const began = performance.now();
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  const { host } = endpoint.url;
  const hush = hushing(endpoint.key);
  const refused = new Set<OptionalParameter>();
  let last = '';
  try {
    for (let requests = 1, failures = 0; ; requests++) {
      const body = chatRequest(options.model, request, refused);
      const reply = await attempt(endpoint, JSON.stringify(body), signal);
      if (reply.status === 200) {
        const { text, model, isCut, ...usage } = readReply(reply.text, host, hush);
        return {
          text,
          logProbs: [],
          ...usage,
          stopReason: isCut ? 'maxTokens' : 'end',
          durationMs: Math.round(performance.now() - began),
          endpoint: { model, requests, refused: [...refused] },
        };
      }
      const parameter = parameterToDrop(reply, body, hush);
      if (parameter !== null) {
        refused.add(parameter);
        continue;
      }
      const failure = failureOf(reply, endpoint, options.model, hush);
      failures++;
      if (failure.code !== 'model.timeout' || failures === maxFailures) throw failure;
      last = `; last: ${failure.message}`;
      await sleep(waitMs(reply, failures, options.backOffMs), undefined, { signal });
    }
  } catch (thrown) {
    if (options.signal.aborted)
      throw new AppError('model.cancelled', `the question to ${host} was called off`, { cause: thrown });
    if (deadline.aborted) {
      const message = `${host} gave no answer within ${options.timeoutMs / 1000} s${last}. Raise \`http.timeout\` of the coach block, or ask a faster model.`;
      throw new AppError('model.timeout', message);
    }
    throw thrown;
  }
}

/** What came back; no connection is as good as status 503. */
async function attempt({ url, key }: Endpoint, body: string, signal: AbortSignal): Promise<PostReply> {
  try {
    return await post({ url, key, body, signal });
  } catch (thrown) {
    if (thrown instanceof AppError || signal.aborted) throw thrown;
    const { code = 'no connection' } = thrown as NodeJS.ErrnoException;
    return { status: 503, headers: {}, text: JSON.stringify({ error: `no answer (${code})` }) };
  }
}

function parameterToDrop(
  { status, text }: PostReply,
  body: Readonly<Record<string, unknown>>,
  hush: Hush,
): OptionalParameter | null {
  if (status !== 400 && status !== 422) return null;
  const refusal = readRefusal(text, hush);
  return isOverflow(refusal) ? null : refusedParameter(body, refusal);
}

function isOverflow({ code, message }: { readonly code: string; readonly message: string }): boolean {
  return code === 'context_length_exceeded' || /context (length|window|size)/i.test(message);
}

/** What a status other than 200 means; model.timeout is worth another attempt. */
function failureOf(
  { status, headers, text }: PostReply,
  endpoint: Endpoint,
  model: string,
  hush: Hush,
): AppError {
  const { origin, host, pathname } = endpoint.url;
  const refusal = readRefusal(text, hush);
  const words = told(refusal.message);
  const said = `${status}${words === '' ? '' : `: ${words}`}`;
  if (status >= 300 && status < 400) {
    const place = hush(URL.parse(headers.location ?? '', origin)?.origin ?? 'nowhere');
    const message = `${host} sends on to ${place}, which is not followed: name the address itself in \`http.url\` of the coach block`;
    return new AppError('input.invalid', message);
  }
  if (status === 401 || status === 403) {
    const which = endpoint.key === null ? 'without a key; name its variable in `http.key`' : 'with this key';
    return new AppError('input.invalid', `${host} does not answer ${which} (${said})`);
  }
  if (status === 404) {
    const message = `${origin}${pathname} is not there, or has no model "${model}" (${said}); check \`http.url\` and \`model\` of the coach block`;
    return new AppError('model.notFound', message);
  }
  if (isOverflow(refusal)) {
    const message = `the prompt is too long for ${model} (${said}); lower \`http.context\` of the coach block to what it takes`;
    return new AppError('model.contextOverflow', message);
  }
  const isPassing = status === 408 || status === 429 || status >= 500;
  return new AppError(isPassing ? 'model.timeout' : 'model.invalid', `${host} answers ${said}`);
}

/** As long as the endpoint asks for, within bounds; else twice as long each time. */
function waitMs({ headers }: PostReply, failures: number, backOffMs = 1000): number {
  const asked = Number(headers['retry-after'] ?? Number.NaN) * 1000;
  const wanted = asked >= 0 ? asked : backOffMs * 2 ** (failures - 1);
  return Math.min(wanted, maxWaitMs);
}
