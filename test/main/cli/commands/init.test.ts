import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('init', () => {
  test('writes a workspace whose environments all compile', async () => {
    const folder = path.join(temporaryFolder(), 'sample');
    expect((await runCli(['init', folder])).code).toBe(0);
    expect(existsSync(path.join(folder, 'experiments', 'quickstart.yaml'))).toBe(true);
    const environments = readdirSync(path.join(folder, 'environments'));
    expect(environments.length).toBeGreaterThan(0);
    const files = environments.map((name) => path.join(folder, 'environments', name));
    expect((await runCli(['edl', 'check', ...files])).code).toBe(0);
  });

  test('says what was written and what was kept, and keeps results out of version control', async () => {
    const folder = path.join(temporaryFolder(), 'sample');
    const first = await runCli(['init', folder]);
    expect(first.stdout).toMatch(/wrote \d+ files/);
    // Where the command is not on the path, how it is reached from elsewhere stands below what to try.
    expect(first.stdout).toMatch(
      /Try it: (gymwright .*\n$|(npx gymwright|npm start --) .*\n.*`npm link` there)/,
    );
    expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('.gymwright/\n');
    const file = path.join(folder, 'environments', 'spread.edl');
    writeFileSync(file, 'mine');
    rmSync(path.join(folder, 'environments', 'spread-eval.edl'));
    const again = await runCli(['init', folder]);
    expect(again.stdout).toMatch(/wrote 1 files?/);
    expect(again.stdout).toMatch(/kept as they were: .*environments\/spread\.edl/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('a name that is no experiment there is told the ones there are, before anything has run', async () => {
    const folder = path.join(temporaryFolder(), 'sample');
    await runCli(['init', folder]);
    const { code, stderr } = await runCli(['run', path.join(folder, 'small')]);
    expect(code).toBe(2);
    expect(stderr).toContain(path.join(folder, 'experiments', 'quickstart.yaml'));
    expect(stderr).not.toContain('is no workspace');
    expect(existsSync(path.join(folder, '.gymwright'))).toBe(false);
  });

  test('refuses a folder that holds other things and leaves it alone', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'thesis.tex'), 'mine');
    const { code, stderr } = await runCli(['init', folder]);
    expect(code).toBe(2);
    expect(stderr).toContain('thesis.tex');
    expect(readdirSync(folder)).toEqual(['thesis.tex']);
  });

  test('a file, and a path through one, are bad input', async () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const folder of [file, path.join(file, 'sample')]) {
      const { code, stderr } = await runCli(['init', folder]);
      expect(code).toBe(2);
      expect(stderr).toMatch(`cannot create ${folder}: part of the path is a file`);
    }
  });
});
