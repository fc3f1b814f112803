import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/engine/store/index.ts';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('coach learn', () => {
  test('is bad input where there is nothing to learn from, and says what it takes', async () => {
    const root = temporaryFolder();
    openStore(root).close();
    const { code, stderr } = await runCli(['coach', 'learn', '--workspace', root]);
    expect(code).toBe(2);
    expect(stderr).toContain('trials 0, studies 0; to learn from them it takes 20');
  });
});
