import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/engine/store/index.ts';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function workspace(): string {
  const root = temporaryFolder();
  openStore(root).close();
  return root;
}

describe('coach probe', () => {
  test('tells who was asked, by scenario and defect, and keeps it', async () => {
    const root = workspace();
    const { code, stdout } = await runCli(['coach', 'probe', '--provider', 'random', '--workspace', root]);
    expect(code).toBe(0);
    expect(stdout).toContain('simple_adversary');
    expect(stdout).toContain('what is wrong');
    const rules = await runCli(['coach', 'probe', '--workspace', root, '--json']);
    expect(JSON.parse(rules.stdout)).toMatchObject({ provider: 'rules', isShuffled: false });
  });

  test('is bad input without the file that a provider needs', async () => {
    const root = workspace();
    for (const provider of ['llama', 'learned']) {
      const { code, stderr } = await runCli(['coach', 'probe', '--provider', provider, '--workspace', root]);
      expect(code).toBe(2);
      expect(stderr).toContain(`provider ${provider} needs a`);
    }
  });
});
