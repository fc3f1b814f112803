import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { writeTinyGguf } from '../../../support/tiny-gguf.ts';

describe('model inspect', () => {
  test('a file that is no GGUF is bad input and says so', async () => {
    const file = path.join(temporaryFolder(), 'model.gguf');
    writeFileSync(file, 'not a model');
    const { code, stderr } = await runCli(['model', 'inspect', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/GGUF/);
  });

  test('says what memory a context takes and what is free, and refuses a context beyond the model', async () => {
    const file = writeTinyGguf(path.join(temporaryFolder(), 'tiny.gguf'), { contextLength: 8192 });
    const { stdout } = await runCli(['model', 'inspect', file, '--context', '8192']);
    expect(stdout).toMatch(
      /memory, estimated +106\.2 MB \(weights 0\.5 MB, 8192 tokens of context 4\.2 MB, computing 101\.6 MB\); \d+\.\d MB are free/,
    );
    const { code, stderr } = await runCli(['model', 'inspect', file, '--context', '10000']);
    expect(code).toBe(2);
    expect(stderr).toContain('a context of 10000 tokens is more than');
  });

  test('a file that is not there is bad input, named by its path', async () => {
    const { code, stderr } = await runCli(['model', 'inspect', '/no/such/model.gguf']);
    expect(code).toBe(2);
    expect(stderr).toContain('/no/such/model.gguf');
  });
});

/** A small file with its address on this machine. */
async function serveModel(): Promise<{ content: Buffer; url: string; hash: string }> {
  const content = Buffer.alloc(50_000, 'GGUF');
  const server = createServer((_request, response) => response.end(content)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/small.gguf`;
  return { content, url, hash: createHash('sha256').update(content).digest('hex') };
}

describe('model pull', () => {
  test('says size and place before, and gives the file its name', async () => {
    const { content, url, hash } = await serveModel();
    const out = path.join(temporaryFolder(), 'small.gguf');
    const { code, stdout, stderr } = await runCli([
      'model',
      'pull',
      url,
      '--sha256',
      hash,
      '--out',
      out,
      '--json',
    ]);
    expect(stderr).toContain(`${out}: 0.1 MB`);
    expect(JSON.parse(stdout)).toMatchObject({ path: out, sha256: hash, receivedBytes: 50_000 });
    expect(code).toBe(0);
    expect(readFileSync(out).equals(content)).toBe(true);
  });

  test('an --out that ends with a slash is a folder, which is made', async () => {
    const { content, url, hash } = await serveModel();
    const folder = path.join(temporaryFolder(), 'outside');
    const { code } = await runCli(['model', 'pull', url, '--sha256', hash, '--out', `${folder}/`]);
    expect(code).toBe(0);
    expect(readFileSync(path.join(folder, 'small.gguf')).equals(content)).toBe(true);
  });

  test.each([
    [['https://models.example/a.gguf'], /--sha256/],
    [['https://models.example/a.gguf', '--sha256', 'abc'], /64 hexadecimal/],
    [['https://models.example/', '--sha256', 'a'.repeat(64)], /--out/],
    [
      ['https://models.example/a.gguf', '--sha256', 'a'.repeat(64), '--out', '-'],
      /"-" names no file to write/,
    ],
  ])('%j is bad input', async (args, message) => {
    const { code, stderr } = await runCli(['model', 'pull', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
