import { describe, expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';

describe('command line', () => {
  test('--help lists every command and ends with 0', async () => {
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'run',
      'runs',
      'edl',
      'scenarios',
      'coach',
      'model',
      'policy',
      'sim',
      'serve',
      'doctor',
      'init',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  test('--version prints the version of the package', async () => {
    const { code, stdout } = await runCli(['--version']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0.1.0\n' });
  });

  test.each([
    [['rum', 'x.yaml'], 'run'],
    [['runs', 'lst'], 'list'],
    [['run', 'x.yaml', '--sed', '1'], '--seed'],
    [['edl', 'chek', 'x.edl'], 'check'],
  ])('%j is bad input and names the nearest known one', async (args, nearest) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`Did you mean ${nearest}?`);
  });

  test.each([
    [['run', 'x.yaml', '--seed', '-1'], /whole number/],
    [['run', 'x.yaml', '--seed', '1.5'], /whole number/],
    [['sim', 'speed', 'simple_spread', '--copies', '0'], /1 to 1000000/],
    [['serve', '--port', '70000'], /0 to 65535/],
    [['run'], /missing required argument 'experiment'/],
    [['runs', 'export', 'x', '--format', 'xml'], /Allowed choices are csv, json/],
    [['sim', 'trace', 'simple_spread'], /required option '--case <file>'/],
  ])('%j is bad input and says what is expected', async (args, expected) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  test('an option before the subcommand is told its place', async () => {
    for (const args of [
      ['runs', '--workspace', 'x', 'list'],
      ['--workspace', 'x', 'runs', 'list'],
    ]) {
      const { code, stderr } = await runCli(args);
      expect(code).toBe(2);
      expect(stderr).toContain("unknown option '--workspace'; options come after the whole command");
    }
  });

  test('an error says which page of help to read', async () => {
    const { stderr } = await runCli(['runs', 'show']);
    expect(stderr).toContain('gymwright runs show --help`');
  });

  test('a folder that is not there is bad input, named by its path', async () => {
    const { code, stderr } = await runCli(['runs', 'list', '--workspace', '/no/such/folder']);
    expect(code).toBe(2);
    expect(stderr).toContain('/no/such/folder');
  });

  test('with --json an error is also one line on stdout', async () => {
    const { code, stdout } = await runCli(['runs', 'list', '--workspace', '/no/such/folder', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ event: 'error', code: 'workspace.notFound' });
  });

  test('a reader that has seen enough is no failure', async () => {
    const { code, stderr } = await runCli(['scenarios', '--json'], {
      onStart: (child) => child.stdout?.destroy(),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
