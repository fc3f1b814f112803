import { afterEach, describe, expect, test } from 'vitest';
import { askEndpoint, type HttpAnswer } from '../../../../../src/engine/coach/providers/http/ask-endpoint.ts';
import {
  completion,
  type FakeEndpoint,
  openFakeEndpoint,
  sendJson,
} from '../../../../support/fake-endpoint.ts';

const secret = 'sk-0123456789abcdef';
const question = {
  prompt: 'What now?',
  grammar: null,
  schema: { type: 'object' },
  temperature: 0.1,
  seed: 7,
  maxTokens: 100,
};

let endpoint: FakeEndpoint | null = null;
afterEach(async () => {
  await endpoint?.close();
  endpoint = null;
});

type Answer = Parameters<typeof openFakeEndpoint>[0];

async function ask(
  answer: Answer,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<HttpAnswer> {
  endpoint = await openFakeEndpoint(answer);
  const url = new URL(`${endpoint.url}/chat/completions`);
  return askEndpoint({ url, key: secret }, question, {
    model: 'big',
    timeoutMs: 5000,
    signal: new AbortController().signal,
    backOffMs: 1,
    ...options,
  });
}

const failure = async (answer: Answer, options = {}): Promise<{ code: string; message: string }> => {
  try {
    await ask(answer, options);
  } catch (thrown) {
    return thrown as { code: string; message: string };
  }
  throw new Error('was answered');
};

describe('askEndpoint', () => {
  test('asks once, with the schema and the key, and takes text and tokens', async () => {
    const answer = await ask((response) => sendJson(response, 200, completion('{"a":1}')));
    expect(answer).toMatchObject({
      text: '{"a":1}',
      promptTokens: 12,
      outputTokens: 7,
      stopReason: 'end',
      endpoint: { model: 'fake-1', requests: 1, refused: [] },
    });
    expect(endpoint?.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: `Bearer ${secret}`,
      body: {
        model: 'big',
        temperature: 0.1,
        seed: 7,
        max_tokens: 100,
        response_format: { type: 'json_schema' },
      },
    });
  });

  test('leaves out what the endpoint does not take, and says so', async () => {
    const answer = await ask((response, { body }) => {
      if ('response_format' in body) sendJson(response, 400, { error: { message: 'unknown field' } });
      else if ('max_tokens' in body)
        sendJson(response, 400, { error: { message: 'use the newer name', param: 'max_tokens' } });
      else sendJson(response, 200, completion('x'));
    });
    expect(answer.endpoint).toMatchObject({ requests: 3, refused: ['response_format', 'max_tokens'] });
    expect(endpoint?.requests[2]?.body).toMatchObject({ max_completion_tokens: 100 });
  });

  test('asks again while the endpoint is busy, and not for ever', async () => {
    const answer = await ask((response, _, index) =>
      index < 2 ? sendJson(response, 429, {}) : sendJson(response, 200, completion('x')),
    );
    expect(answer.endpoint.requests).toBe(3);
    await endpoint?.close();
    const { code } = await failure((response) => sendJson(response, 500, { error: 'out of order' }));
    expect([code, endpoint?.requests.length]).toEqual(['model.timeout', 4]);
  });

  test('an answer that was cut off says so', async () => {
    const answer = await ask((response) => sendJson(response, 200, completion('{"a', 'length')));
    expect(answer.stopReason).toBe('maxTokens');
  });

  test.each([
    ['no completion', 200, { hello: 1 }, 'model.invalid'],
    ['an empty completion', 200, completion(''), 'coach.badOutput'],
    ['a wrong key', 401, { error: { message: 'no' } }, 'input.invalid'],
    ['an unknown model', 404, { error: { message: 'no such model' } }, 'model.notFound'],
    [
      'too long a prompt',
      400,
      { error: { message: 'x', code: 'context_length_exceeded' } },
      'model.contextOverflow',
    ],
  ] as const)('%s is an error of its own', async (_, status, body, expected) => {
    const { code } = await failure((response) => sendJson(response, status, body));
    expect([code, endpoint?.requests.length]).toEqual([expected, 1]);
  });

  test('is sent nowhere else', async () => {
    const { code, message } = await failure((response) =>
      sendJson(response, 307, {}, { location: 'http://127.0.0.1:9/elsewhere' }),
    );
    expect([code, message]).toEqual(['input.invalid', expect.stringContaining('not followed')]);
    expect(endpoint?.requests).toHaveLength(1);
  });

  test('an answer without end is left', async () => {
    const { code } = await failure((response) => {
      response.writeHead(200);
      const chunk = ' '.repeat(65_536);
      const send = (): void => {
        while (response.write(chunk));
        response.once('drain', send);
      };
      send();
    });
    expect(code).toBe('model.invalid');
  });

  test('an answer that comes by drops ends with the time for it', async () => {
    const { code, message } = await failure(
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(timer));
      },
      { timeoutMs: 100 },
    );
    expect([code, message]).toEqual(['model.timeout', expect.stringContaining('http.timeout')]);
    expect(endpoint?.requests).toHaveLength(1);
  });

  test('a connection that is cut in the middle of an answer is asked for again', async () => {
    const answer = await ask((response, _, index) => {
      const text = JSON.stringify(completion('x'));
      response.writeHead(200, { 'content-length': text.length });
      if (index > 0) response.end(text);
      else response.write(text.slice(0, 9), () => response.destroy());
    });
    expect([answer.text, answer.endpoint.requests]).toEqual(['x', 2]);
  });

  test('waits as long as a busy endpoint says, within the time for an answer', async () => {
    const { code, message } = await failure(
      (response) =>
        sendJson(response, 429, { error: { message: 'slow\n\u001bdown' } }, { 'retry-after': '20' }),
      { timeoutMs: 200 },
    );
    expect([code, endpoint?.requests.length]).toEqual(['model.timeout', 1]);
    expect(message).toContain('429: slow down');
  });

  test.each([
    ['not JSON', '<html>welcome</html>'],
    ['cut JSON', '{"choices":[{"message":{"content":"x"'],
    ['nothing', ''],
    ['brackets without end', '['.repeat(500_000)],
    ['no choice', '{"choices":[]}'],
    ['content of another type', '{"choices":[{"message":{"content":{"a":1}}}]}'],
  ])('%s in place of a completion is said to be none, and not asked for again', async (_, text) => {
    const { code } = await failure((response) => response.end(text));
    expect([code, endpoint?.requests.length]).toEqual(['model.invalid', 1]);
  });

  test('figures that can be none are not taken', async () => {
    const usage = { prompt_tokens: -4, completion_tokens: 1e300 };
    const answer = await ask((response) => sendJson(response, 200, { ...completion('x'), usage }));
    expect([answer.promptTokens, answer.outputTokens]).toEqual([0, 0]);
  });

  test('silence ends with the time for an answer, and at once when it is called off', async () => {
    expect((await failure(() => {}, { timeoutMs: 50 })).code).toBe('model.timeout');
    await endpoint?.close();
    const controller = new AbortController();
    const asked = failure(() => controller.abort(), { signal: controller.signal });
    expect((await asked).code).toBe('model.cancelled');
  });

  test('a key that is sent back comes into no message and no answer', async () => {
    const { message } = await failure((response, { authorization }) =>
      sendJson(response, 403, { error: { message: `not with ${authorization}` } }),
    );
    expect(message).toContain('[key]');
    expect(message).not.toContain(secret);
    await endpoint?.close();
    const { text } = await ask((response) => sendJson(response, 200, completion(`your key is ${secret}`)));
    expect(text).toBe('your key is [key]');
    await endpoint?.close();
    const escaped = [...secret].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('');
    const hidden = await ask((response) =>
      response.end(JSON.stringify(completion('HERE')).replace('HERE', escaped).replace('fake-1', escaped)),
    );
    expect([hidden.text, hidden.endpoint.model]).toEqual(['[key]', '[key]']);
    await endpoint?.close();
    const within = await ask((response) => sendJson(response, 200, completion(`{"analysis":"${escaped}"}`)));
    expect(JSON.parse(within.text)).toEqual({ analysis: '[key]' });
    await endpoint?.close();
    const elsewhere = { location: `https://${secret}.example/` };
    const redirected = await failure((response) => sendJson(response, 302, {}, elsewhere));
    expect(redirected.message).toContain('https://[key].example');
  });
});
