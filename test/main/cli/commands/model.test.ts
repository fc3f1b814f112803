import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('model inspect', () => {
  test('a file that is no GGUF is bad input and says so', async () => {
    const file = path.join(temporaryFolder(), 'model.gguf');
    writeFileSync(file, 'not a model');
    const { code, stderr } = await runCli(['model', 'inspect', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/GGUF/);
  });

  test('a file that is not there is bad input, named by its path', async () => {
    const { code, stderr } = await runCli(['model', 'inspect', '/no/such/model.gguf']);
    expect(code).toBe(2);
    expect(stderr).toContain('/no/such/model.gguf');
  });
});
