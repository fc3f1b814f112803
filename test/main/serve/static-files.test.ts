import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy, readAsset, resolveAsset } from '../../../src/main/serve/static-files.ts';

let parent: string;
let folder: string;

beforeAll(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'gymwright-page-'));
  folder = path.join(parent, 'renderer');
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  mkdirSync(path.join(parent, 'renderer-secret'));
  writeFileSync(path.join(parent, 'secret.json'), '{}');
  writeFileSync(path.join(parent, 'renderer-secret', 'key.json'), '{}');
  writeFileSync(path.join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(path.join(folder, 'assets', 'index-abc.js'), 'run()');
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('resolveAsset', () => {
  test.each([
    '/../secret.json',
    '/assets/../../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/%2e%2e%2frenderer-secret%2fkey.json',
    '/..\\secret.json',
    '/assets/..%5c..%5csecret.json',
    '/index.html%00.js',
    '/%',
    '//etc/passwd',
    'secret.json',
    '/index.php',
  ])('refuses %s', async (urlPath) => {
    expect(await readAsset(folder, urlPath)).toBeNull();
  });

  test('gives the page for the root and files by name', () => {
    expect(resolveAsset(folder, '/')).toBe(path.join(folder, 'index.html'));
    expect(resolveAsset(folder, '/assets/index-abc.js')).toBe(path.join(folder, 'assets', 'index-abc.js'));
  });
});

describe('readAsset', () => {
  test('every answer carries the policy; hashed files may be kept for good', async () => {
    const page = await readAsset(folder, '/');
    const script = await readAsset(folder, '/assets/index-abc.js');
    expect(page?.headers['content-security-policy']).toBe(contentSecurityPolicy);
    expect(page?.headers['cache-control']).toBe('no-cache');
    expect(script?.headers['cache-control']).toContain('immutable');
    expect(script?.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  test('a folder and a missing file are no assets', async () => {
    expect(await readAsset(folder, '/assets')).toBeNull();
    expect(await readAsset(folder, '/assets/gone.js')).toBeNull();
  });
});

describe('contentSecurityPolicy', () => {
  test('allows scripts from the own origin only, and nothing to be evaluated', () => {
    expect(contentSecurityPolicy).toContain("script-src 'self';");
    expect(contentSecurityPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/);
    expect(contentSecurityPolicy).toContain("default-src 'none'");
  });
});
