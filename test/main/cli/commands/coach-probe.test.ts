import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/engine/store/index.ts';
import { runCli } from '../../../support/run-cli.ts';
import { coachedBy } from '../../../support/sample-workspace.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

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
    // Uniform choice is computed: no defect has a first choice of its own.
    expect(stdout).toContain('computed, not drawn');
    expect(stdout).not.toMatch(/– +–|first choice +place/);
    expect((await runCli(['coach', 'probe', '--workspace', root])).stdout).toContain('what is wrong');
    const rules = await runCli(['coach', 'probe', '--workspace', root, '--json']);
    expect(JSON.parse(rules.stdout)).toMatchObject({ provider: 'rules', isShuffled: false });
  });

  test('asks the coach of an experiment', async () => {
    const root = workspace();
    const experiment = path.join(root, 'random.yaml');
    writeFileSync(experiment, coachedBy('{provider: random}'));
    const { code, stdout, stderr } = await runCli(['coach', 'probe', '--experiment', experiment, '--json']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ provider: 'random' });
  });

  test('one interrupt ends it, and what was answered is kept for the next', async () => {
    const root = workspace();
    const model = writeTinyGguf(path.join(root, 'tiny.gguf'), { contextLength: 4096 });
    const answers = (): string[] => globSync(path.join(root, '.gymwright/probes/answers-*.jsonl'));
    const asked = ['coach', 'probe', '--provider', 'llama', '--model', model, '--workspace', root];
    const { code, stderr } = await runCli(asked, {
      onStart: (child) => {
        const timer = setInterval(() => {
          if (answers().length === 0) return;
          clearInterval(timer);
          child.kill('SIGINT');
        }, 50);
      },
    });
    expect(stderr).toContain('interrupted');
    expect(code).toBe(1);
    expect(answers()).toHaveLength(1);
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
