import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CoachConfig } from '../../../../src/engine/coach/config.ts';
import { ModelHost } from '../../../../src/engine/coach/model/model-host.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import {
  type ProposeRequest,
  proposeOnce,
  questionsPerSituation,
} from '../../../../src/engine/coach/propose-once/propose-once.ts';
import type { ModelClients } from '../../../../src/engine/coach/types.ts';
import { coachDefaults } from '../../../../src/engine/runs/experiment-schema.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { coachEdl } from '../../../support/coach-world.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { completion, openFakeEndpoint, sendJson } from '../../../support/fake-endpoint.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

const spread = 'resources/environments/spread.edl';

type Changes = Partial<Omit<ProposeRequest, 'coach'>> & Partial<CoachConfig>;

function propose(
  { environment = spread, count = 2, seed = 1, ...coach }: Changes = {},
  models: ModelClients | null = null,
  signal = new AbortController().signal,
) {
  const flatten = (text: string) => ({ text });
  const deps = { flatten, edl: coachEdl, createVecEnv, prompts: openPrompts('.'), models, now: () => 0 };
  return proposeOnce(deps, { environment, count, seed, coach: { ...coachDefaults, ...coach } }, signal);
}

describe('questionsPerSituation', () => {
  test('many questions are spread over at least five snapshots, four on each at most', () => {
    expect(questionsPerSituation(1)).toEqual([1]);
    expect(questionsPerSituation(3)).toEqual([1, 1, 1]);
    expect(questionsPerSituation(7)).toEqual([2, 2, 1, 1, 1]);
    expect(questionsPerSituation(20)).toEqual([4, 4, 4, 4, 4]);
    for (const count of [1, 6, 21, 999]) {
      const questions = questionsPerSituation(count);
      expect(questions.reduce((sum, each) => sum + each, 0)).toBe(count);
      expect(Math.max(...questions)).toBeLessThanOrEqual(4);
    }
  });
});

describe('proposeOnce', () => {
  test('the rule coach repairs the planted defect of the quickstart', async () => {
    const { proposals, funnel } = await propose();
    expect(proposals[0]?.body?.changes).toMatchObject([{ op: 'remove', target: 'reward crowding' }]);
    expect(proposals[0]?.after).not.toContain('reward crowding');
    // In another situation, in which nobody knows of the first answer, the same repair is as good.
    expect(proposals[1]?.after).toBe(proposals[0]?.after);
    expect(funnel).toEqual({ asked: 2, parsed: 2, valid: 2, repaired: 0, snapshots: 2, distinct: 1 });
  });

  test('random proposals parse, and those that are refused say why', async () => {
    const { proposals, funnel } = await propose({
      provider: 'random',
      count: 40,
      environment: 'resources/environments/foraging.edl',
    });
    expect(funnel).toMatchObject({ asked: 40, parsed: 40, snapshots: 10 });
    // What the first draw missed, the second attempt makes good.
    expect(funnel.valid).toBeGreaterThan(38);
    expect(proposals).toHaveLength(40 + funnel.repaired);
    const refused = proposals.filter(({ validation }) => validation?.isValid !== true);
    expect(refused.length).toBe(proposals.length - funnel.valid);
    expect(funnel.repaired).toBeGreaterThan(0);
    for (const { validation } of proposals) {
      expect(validation?.isValid === true || (validation?.reasons.length ?? 0) > 0).toBe(true);
    }
  });

  test.each(['random', 'rules'] as const)(
    'what %s is asked later does not depend on what it answered before',
    async (provider) => {
      const { proposals } = await propose({ provider, count: 3 });
      for (const [index, proposal] of proposals.entries()) {
        const alone = await propose({ provider, count: 1, seed: 1 + index });
        expect({ ...alone.proposals[0], index }).toEqual(proposal);
      }
    },
  );

  test('a coach is asked with the settings of its block', async () => {
    const { proposals, provider } = await propose({ provider: 'random', may: ['set'], count: 8 });
    expect(provider).toBe('random');
    const targets = proposals.flatMap(({ body }) => body?.changes.map(({ target }) => target) ?? []);
    expect(new Set(targets.map((target) => target.split(' ')[0]))).toEqual(new Set(['set']));
  });

  test('how a model is loaded is what its block says', async () => {
    const asked: unknown[] = [];
    const fake = fakeModel();
    const models: ModelClients = {
      client: (owner) => ({
        ...fake.client(owner),
        load: (path, signal, settings) => {
          asked.push(settings);
          return fake.client(owner).load(path, signal, settings);
        },
      }),
    };
    const llama = { context: 2048, gpu: 0, timeout: 9, adapters: [{ file: '/a.gguf', scale: 0.5 }] };
    await propose({ provider: 'llama', model: '/m.gguf', llama, count: 1 }, models);
    expect(asked).toEqual([llama]);
  });

  test('an endpoint answers, at the temperature of its block', async () => {
    const endpoint = await openFakeEndpoint((response) => sendJson(response, 200, completion('{}')));
    onTestFinished(() => endpoint.close());
    const http = { url: endpoint.url, key: null, timeout: 20, context: 8192 };
    const { proposals } = await propose({ provider: 'http', model: 'big', http, temperature: 0.7, count: 1 });
    expect(endpoint.requests[0]?.body).toMatchObject({ model: 'big', temperature: 0.7 });
    expect(proposals[0]?.failure?.code).toBe('coach.badOutput');
  });

  test('an endpoint is asked no more once nobody waits for its answers', async () => {
    const control = new AbortController();
    const endpoint = await openFakeEndpoint(() => control.abort());
    onTestFinished(() => endpoint.close());
    const http = { url: endpoint.url, key: null, timeout: 20, context: 8192 };
    const asked = propose({ provider: 'http', model: 'big', http, count: 40 }, null, control.signal);
    expect((await rejectedBy(asked)).code).toBe('run.cancelled');
    expect(endpoint.requests).toHaveLength(1);
  });

  test.each(['random', 'rules'] as const)('%s answers no further once nobody waits', async (provider) => {
    const control = new AbortController();
    const asked = propose({ provider, count: 400 }, null, control.signal);
    setTimeout(() => control.abort(), 1);
    expect((await rejectedBy(asked)).code).toBe('run.cancelled');
  });

  test('an endpoint whose key is missing is refused before anything is played', async () => {
    const http = { url: 'http://127.0.0.1:9/v1', key: 'GYMWRIGHT_TEST_NO_KEY', timeout: 20, context: 8192 };
    const environment = '/nowhere/x.edl';
    const error = await rejectedBy(propose({ environment, provider: 'http', model: 'big', http }));
    expect(error.message).toContain('GYMWRIGHT_TEST_NO_KEY is not set');
  });

  test.each(['none', 'replay'] as const)('provider %s has nothing to say', async (provider) => {
    expect((await rejectedBy(propose({ provider }))).code).toBe('input.invalid');
  });

  test('equal arguments give equal answers', async () => {
    expect(await propose({ provider: 'random', count: 3 })).toEqual(
      await propose({ provider: 'random', count: 3 }),
    );
  });

  test('a generated model ranks through the real host', async () => {
    const models = new ModelHost({ threads: 1 });
    onTestFinished(() => models.close());
    const model = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'), { contextLength: 4096 });
    const { proposals, funnel } = await propose({ provider: 'llama', model, count: 1 }, models);
    expect(funnel).toMatchObject({ asked: 1, parsed: 1 });
    expect(proposals[0]?.isComposed).toBe(true);
    expect(proposals[0]?.body?.analysis).toContain('tiny random bytes');
  });

  test('a model host that is killed changes nothing', { timeout: 90_000 }, async () => {
    const model = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'), { contextLength: 4096 });
    const ask = async (killAfterMs: number | null) => {
      const models = new ModelHost({ threads: 1 });
      const timer =
        killAfterMs === null
          ? undefined
          : setTimeout(() => models.pid && process.kill(models.pid, 'SIGKILL'), killAfterMs);
      const answer = await propose({ provider: 'llama', model, count: 1 }, models);
      clearTimeout(timer);
      await models.close();
      return answer;
    };
    const undisturbed = await ask(null);
    expect(undisturbed.funnel.parsed).toBe(1);
    for (const killAfterMs of [500, 1500]) expect(await ask(killAfterMs)).toEqual(undisturbed);
  });

  test('a model whose context is too small is an error of the command', async () => {
    const models = new ModelHost({ threads: 1 });
    onTestFinished(() => models.close());
    const model = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'), { contextLength: 256 });
    expect((await rejectedBy(propose({ provider: 'llama', model, count: 1 }, models))).code).toBe(
      'model.contextOverflow',
    );
  });

  test('bad input says what and where', async () => {
    expect((await rejectedBy(propose({ environment: '/nowhere/x.edl' }))).code).toBe('workspace.notFound');
    const broken = join(temporaryFolder(), 'broken.edl');
    writeFileSync(broken, 'environment x extends simple_spread {\n  set agent.wings = 2\n}\n');
    const error = await rejectedBy(propose({ environment: broken }));
    expect(error.code).toBe('edl.invalid');
    expect(error.message).toContain('line 2');
    expect((await rejectedBy(propose({ provider: 'llama', count: 1 }))).code).toBe('input.invalid');
  });
});

const realModel = process.env.GYMWRIGHT_TEST_MODEL;

describe.skipIf(realModel === undefined)('proposeOnce with the model that GYMWRIGHT_TEST_MODEL names', () => {
  test('its proposals parse, compile and are valid', { timeout: 300_000 }, async () => {
    const models = new ModelHost();
    onTestFinished(() => models.close());
    const { funnel } = await propose({ provider: 'llama', model: realModel ?? '', count: 2 }, models);
    expect(funnel).toMatchObject({ asked: 2, parsed: 2, valid: 2 });
  });
});
