import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/engine/store/index.ts';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function workspace(): { root: string; judgement: (text: string) => string } {
  const root = temporaryFolder();
  openStore(root).close();
  const judgement = (text: string): string => {
    const file = join(root, 'judgement.txt');
    writeFileSync(file, text);
    return file;
  };
  return { root, judgement };
}

const translate = (root: string, ...args: string[]) =>
  runCli(['coach', 'translate', ...args, '--workspace', root, '--json']);

describe('coach translate', () => {
  test('tells the value, what made it, and what it does not know; the workspace’s table comes before the shipped one', async () => {
    const { root, judgement } = workspace();
    const file = judgement('A good, splendid episode');
    const shipped = await translate(root, file);
    expect(shipped.code).toBe(0);
    expect(parseLines(shipped.stdout)).toMatchObject([{ value: 0.6, unknown: ['splendid'] }]);

    mkdirSync(join(root, 'judgements'));
    const own = join(root, 'judgements', 'terms.yaml');
    writeFileSync(own, 'range: [0, 10]\nterms: {good: 7, splendid: 9}\nneutral: [a, episode]\n');
    const [answer] = parseLines((await translate(root, file)).stdout);
    expect(answer).toMatchObject({ value: 8, unknown: [], table: own });
  });

  test('ends with 1 where there is no value, and with 2 for a table that is none', async () => {
    const { root, judgement } = workspace();
    const file = judgement('splendid');
    expect((await translate(root, file)).code).toBe(1);
    const table = join(root, 'table.yaml');
    writeFileSync(table, 'range: [0, 1]\nterms: {splendid: much}\n');
    const refused = await translate(root, file, '--table', table);
    expect(refused.code).toBe(2);
    expect(refused.stdout + refused.stderr).toContain('table.yaml:2:9');
  });
});
