import type { z } from 'zod';
import type { models } from '../../../shared/contract/models.ts';
import { inspectModel } from './inspect-model.ts';
import type { ModelHost } from './model-host.ts';

const testTokens = 48;

/**
 * Loads a model and lets it continue a text: does it run here, and how fast.
 *
 * Throws: model.*, modelHost.died.
 */
export async function testModel(
  host: ModelHost,
  path: string,
  prompt: string,
): Promise<z.output<typeof models.test.result>> {
  const model = await inspectModel(path);
  const client = host.client('model test');
  const started = performance.now();
  await client.load(path);
  const loadMs = performance.now() - started;
  const answer = await client.generate({
    prompt,
    grammar: null,
    temperature: 0,
    seed: 1,
    maxTokens: testTokens,
  });
  return {
    model,
    output: answer.text,
    promptTokens: answer.promptTokens,
    outputTokens: answer.outputTokens,
    loadMs,
    generateMs: answer.durationMs,
  };
}
