import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ModelHost } from '../../../../src/engine/coach/model/model-host.ts';
import { testModel } from '../../../../src/engine/coach/model/test-model.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

describe('testModel', () => {
  test('loads a model, lets it continue a text and says how long each took', async () => {
    const host = new ModelHost({ threads: 1 });
    onTestFinished(() => host.close());
    const path = writeTinyGguf(join(temporaryFolder(), 'tiny.gguf'));
    const result = await testModel(host, path, 'agents');
    expect(result.model.name).toBe('tiny random bytes');
    expect(result.outputTokens).toBeGreaterThan(0);
    expect(result.loadMs).toBeGreaterThan(0);
    expect(result.generateMs).toBeGreaterThan(0);
  });
});
