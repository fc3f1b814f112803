import { afterEach, describe, expect, test } from 'vitest';
import { createCoachPipeline } from '../../../../../src/engine/coach/pipeline.ts';
import {
  endpointSchema,
  unwrapAnswer,
} from '../../../../../src/engine/coach/providers/http/answer-schema.ts';
import { openHttpModel } from '../../../../../src/engine/coach/providers/http/http-model.ts';
import { RecordedModel } from '../../../../../src/engine/coach/providers/recorded-model.ts';
import type { Store } from '../../../../../src/engine/store/index.ts';
import { coachConfig, coachDependencies, roundContext } from '../../../../support/coach-world.ts';
import {
  completion,
  type FakeEndpoint,
  openFakeEndpoint,
  sendJson,
} from '../../../../support/fake-endpoint.ts';
import { insertProposal, storeWithRun } from '../../../../support/store-records.ts';

const reason = { trigger: 'issue', detail: 'firing: uncovered' } as const;
const variable = 'GYMWRIGHT_TEST_MODEL_KEY';
const secret = 'sk-0123456789abcdef';

let endpoint: FakeEndpoint | null = null;
afterEach(async () => {
  await endpoint?.close();
  endpoint = null;
  Reflect.deleteProperty(process.env, variable);
});

function proposal(edl: string): string {
  const change = {
    op: 'add',
    target: 'reward near',
    edl,
    description: 'Draw agents to landmarks.',
    implementation_hint: 'distance',
    expected_impact: { metric: 'coverage', direction: 'up', size: 'small', why: 'they are far' },
  };
  return JSON.stringify({ analysis: 'Landmarks stay uncovered.', changes: [change], wishes: [] });
}

const sound = proposal(
  'reward near { for a in agent give -0.1 * distance(a, nearest(landmark)) / 1 m to a }',
);

function ask(store: Store, url: string) {
  const http = { url, key: variable, timeout: 20, context: 8192 };
  const config = { ...coachConfig, provider: 'http', model: 'big', candidates: 1, http } as const;
  const context = roundContext({ config });
  return createCoachPipeline(coachDependencies({ store })).ask(context, reason, new AbortController().signal);
}

describe('provider http', () => {
  test('what the endpoint writes is a proposal like others, on record without the key', async () => {
    process.env[variable] = secret;
    endpoint = await openFakeEndpoint((response) => sendJson(response, 200, completion(sound)));
    const store = storeWithRun();
    const [first] = await ask(store, endpoint.url);
    expect(first).toMatchObject({ state: 'validated', provider: 'http', model: 'big', isComposed: false });
    const [call] = store.modelCalls.listByProposal(first?.proposalId ?? '');
    expect(call).toMatchObject({ model: 'big', promptTokens: 12, outputTokens: 7 });
    expect(JSON.stringify([call, first])).not.toContain(secret);
    expect(endpoint.requests).toHaveLength(1);
  });

  test('a refused answer is asked for once more, with the reasons', async () => {
    process.env[variable] = secret;
    endpoint = await openFakeEndpoint((response, _, index) =>
      sendJson(
        response,
        200,
        completion(index === 0 ? proposal('reward near { nonsense }') : `\`\`\`json\n${sound}\n\`\`\``),
      ),
    );
    const proposals = await ask(storeWithRun(), endpoint.url);
    expect(proposals.map(({ state }) => state)).toEqual(['invalid', 'validated']);
    expect(JSON.stringify(endpoint.requests[1]?.body)).toContain('EDL');
  });

  test('what was answered before an interruption is read from the record: nothing is asked, and no key needed', async () => {
    process.env[variable] = secret;
    endpoint = await openFakeEndpoint((response, _, index) =>
      sendJson(response, 200, completion(`answer ${index}`)),
    );
    const http = { url: endpoint.url, key: variable, timeout: 20, context: 8192 };
    const store = storeWithRun();
    insertProposal(store);
    const signal = new AbortController().signal;
    const generate = () => {
      const { identity, service } = openHttpModel({ model: 'big', http });
      return new RecordedModel(identity, service, store).generate(
        { prompt: 'What now?', grammar: null, temperature: 0.1, seed: 7, maxTokens: 100 },
        { runId: 'r1', proposalId: 'p1', now: () => 5, signal },
      );
    };
    const first = await generate();
    Reflect.deleteProperty(process.env, variable);
    expect(await generate()).toEqual(first);
    expect(first.text).toBe('answer 0');
    expect(endpoint.requests).toHaveLength(1);
  });

  test('without its key a proposal fails with the reason, and nothing is asked', async () => {
    endpoint = await openFakeEndpoint((response) => sendJson(response, 200, completion(sound)));
    const proposals = await ask(storeWithRun(), endpoint.url);
    expect(proposals.map(({ state }) => state)).toEqual(['failed']);
    expect(JSON.stringify(proposals)).toContain(variable);
    expect(endpoint.requests).toEqual([]);
  });
});

test('the schema that is asked for has no keywords that strict endpoints refuse', () => {
  const text = JSON.stringify(endpointSchema());
  expect(text).toContain('"changes"');
  expect(text).not.toMatch(/"(minLength|maxLength|\$schema)"/);
});

test.each([
  ['{"a":1}', '{"a":1}'],
  ['```json\n{"a":1}\n```', '{"a":1}'],
  ['<think>so it is</think>\n{"a":1}', '{"a":1}'],
  ['```', '```'],
])('of %j the answer is %j', (written, answer) => expect(unwrapAnswer(written)).toBe(answer));
