import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ModelHost } from '../../../../src/engine/coach/index.ts';
import { declarationGrammar, proposalGrammar, renderGbnf } from '../../../../src/engine/edl/gbnf/index.ts';
import { parseText } from '../../../../src/engine/edl/parse.ts';
import { proposalBody } from '../../../../src/shared/contract/coach.ts';
import { simHost } from '../../../support/sim-host.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

const host = simHost();

function manifestOf(scenario: string) {
  const manifest = host.manifest(scenario, {});
  if (manifest === null) throw new Error(scenario);
  return manifest;
}

/** A generated model that knows nothing writes under the grammars, token by token, as a real one would. */
describe('grammars in llama.cpp', () => {
  let models: ModelHost;
  let folder: string;
  let path: string;

  beforeAll(() => {
    models = new ModelHost({ threads: 1 });
    folder = mkdtempSync(join(tmpdir(), 'gymwright-test-'));
    path = writeTinyGguf(join(folder, 'tiny.gguf'), { contextLength: 4096 });
  });
  afterAll(async () => {
    await models.close();
    rmSync(folder, { recursive: true });
  });

  const sample = async (grammar: string, seeds: number[], maxTokens: number) => {
    const client = models.client('grammar');
    await client.load(path);
    return (await client.sample({ prompt: 'Write.', grammar, temperature: 1, seeds, maxTokens, parallel: 2 }))
      .answers;
  };

  test.each(host.scenarioNames?.() ?? [])(
    'declarations for %s parse, whatever the model would like',
    async (scenario) => {
      const grammar = renderGbnf(declarationGrammar({ manifest: manifestOf(scenario) }));
      for (const { text, stopReason } of await sample(grammar, [1, 2, 3, 4], 1000)) {
        expect(stopReason).toBe('end');
        expect(parseText(text, 'Declaration').diagnostics, text).toEqual([]);
      }
    },
  );

  test('a proposal ends by itself, as JSON', async () => {
    const grammar = proposalGrammar({
      manifest: manifestOf('simple_spread'),
      author: 'coach',
      kinds: ['rule', 'reward', 'set'],
      metrics: ['coverage'],
      maxChanges: 1,
      lengths: { analysis: 60, description: 40, why: 40, wish: 40, wishes: 0 },
    });
    const [answer] = await sample(renderGbnf(grammar), [5], 2000);
    expect(answer?.stopReason).toBe('end');
    expect(proposalBody.parse(JSON.parse(answer?.text ?? '')).changes).toHaveLength(1);
  });
});
