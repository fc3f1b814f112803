import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandName } from '../../../../src/main/cli/command-name.ts';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const good = 'resources/environments/spread-eval.edl';
const bad = 'environment x extends simple_spread {\n  set agent.acel = 2\n}\n';
const untidy = 'environment   x extends simple_spread { mission "m" }';

describe('edl check', () => {
  test('a sound file ends with 0 and its identity', async () => {
    const { code, stdout } = await runCli(['edl', 'check', good, '--json']);
    expect(code).toBe(0);
    const { file, diagnostics, environment } = JSON.parse(stdout);
    expect({ file, diagnostics }).toEqual({ file: good, diagnostics: [] });
    expect(environment).toMatchObject({
      scenario: 'simple_spread',
      identity: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('a fault is bad input, with code, place and the nearest known name', async () => {
    const { code, stdout } = await runCli(['edl', 'check', '-'], { input: bad });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^-:2:\d+: error EDL\d+: /);
    expect(stdout).toContain('agent.accel');
  });

  test('a file that cannot be read is bad input, named by its path', async () => {
    const { code, stderr } = await runCli(['edl', 'check', 'no/such.edl']);
    expect(code).toBe(2);
    expect(stderr).toContain(path.resolve('no/such.edl'));
  });

  test('bytes that are no text are refused, and --write leaves them as they are', async () => {
    const file = path.join(temporaryFolder(), 'noise.edl');
    const bytes = Buffer.from(`# gr\u00fcn\n${untidy}`, 'latin1');
    writeFileSync(file, bytes);
    for (const args of [['check'], ['format', '--write']]) {
      const { code, stdout, stderr } = await runCli(['edl', ...args, file]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`${file} is not UTF-8 text`);
    }
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe('edl format', () => {
  test('names each file that has errors or is not there, and goes on', async () => {
    const folder = temporaryFolder();
    const [broken, last] = [path.join(folder, 'broken.edl'), path.join(folder, 'last.edl')];
    const missing = path.join(folder, 'missing.edl');
    writeFileSync(broken, bad.slice(0, 40));
    writeFileSync(last, untidy);
    const { code, stdout, stderr } = await runCli(['edl', 'format', '--write', missing, broken, last]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: `formatted ${last}\n` });
    expect(stderr).toContain(`cannot read ${missing}`);
    expect(stderr).toMatch(new RegExp(`${broken} has errors \\(line \\d+: .*edl check ${broken}`));
    expect((await runCli(['edl', 'flatten', broken])).stderr).toContain(`${broken} has errors`);
  });

  test('--check says which file would change and leaves it', async () => {
    const file = path.join(temporaryFolder(), 'untidy.edl');
    writeFileSync(file, untidy);
    const { code, stdout } = await runCli(['edl', 'format', '--check', file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: `${file}: not formatted\n` });
    expect(readFileSync(file, 'utf8')).toBe(untidy);
  });

  test('--write makes it pass the check', async () => {
    const file = path.join(temporaryFolder(), 'untidy.edl');
    writeFileSync(file, untidy);
    expect((await runCli(['edl', 'format', '--write', file])).code).toBe(0);
    expect((await runCli(['edl', 'format', '--check', file])).code).toBe(0);
  });

  test('text with syntax errors is refused and nothing is written', async () => {
    const file = path.join(temporaryFolder(), 'broken.edl');
    writeFileSync(file, 'environment {');
    expect((await runCli(['edl', 'format', '--write', file])).code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('environment {');
  });
});

describe('edl explain', () => {
  test('says in words what the environment changes', async () => {
    const { code, stdout } = await runCli(['edl', 'explain', 'resources/environments/spread.edl']);
    expect(code).toBe(0);
    expect(stdout).toContain('reward crowding');
  });

  test('names a command as it was started', async () => {
    const { stdout } = await runCli(['edl', 'explain', 'resources/environments/spread.edl']);
    expect(stdout).toContain(`\`${commandName()} sim speed --edl FILE\` measures it here`);
  });
});

test('edl explain ends as edl check does on a text with errors', async () => {
  const { code, stderr } = await runCli(['edl', 'explain', '-'], { input: bad });
  expect(code).toBe(2);
  expect(stderr).toContain('agent.accel');
});

describe('edl check of several files', () => {
  test('goes on behind one that cannot be read, and ends with 2', async () => {
    const folder = temporaryFolder();
    const broken = path.join(folder, 'broken.edl');
    writeFileSync(broken, bad);
    const { code, stdout, stderr } = await runCli([
      'edl',
      'check',
      path.join(folder, 'none.edl'),
      good,
      broken,
    ]);
    expect(code).toBe(2);
    expect(stdout).toContain(`${good}: `);
    expect(stdout).toContain(`${broken}:2:`);
    expect(stderr).toContain('none.edl');
  });
});

describe('edl flatten', () => {
  test('gives one text of the same meaning', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      path.join(folder, 'base.edl'),
      'environment base extends simple_spread { rule r { then agent.accel *= 2 } }',
    );
    const file = path.join(folder, 'own.edl');
    writeFileSync(file, 'environment own extends "base.edl" { set agent.accel = 4 }');
    const { code, stdout } = await runCli(['edl', 'flatten', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^environment own extends simple_spread \{/);
    const flat = path.join(folder, 'flat.edl');
    writeFileSync(flat, stdout);
    const identities = await Promise.all(
      [file, flat].map(async (each) => {
        const answer = await runCli(['edl', 'check', each, '--json']);
        return JSON.parse(answer.stdout).environment.identity as string;
      }),
    );
    expect(identities[0]).toBe(identities[1]);
  });
});

describe('edl schema', () => {
  test('prints the schema of the canonical form, or of proposals', async () => {
    const ir = JSON.parse((await runCli(['edl', 'schema'])).stdout);
    expect(Object.keys(ir.properties)).toContain('regimes');
    const proposal = JSON.parse((await runCli(['edl', 'schema', '--proposal', '--json'])).stdout);
    expect(Object.keys(proposal.properties)).toEqual(['analysis', 'changes', 'wishes']);
    expect((await runCli(['edl', 'schema', '--ir', '--proposal'])).code).toBe(2);
  });
});

describe('edl grammar', () => {
  test('prints GBNF with the names of the scenario', async () => {
    const { code, stdout } = await runCli([
      'edl',
      'grammar',
      'simple_spread',
      '--kinds',
      'set,reward',
      '--coach',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^root ::= "set agent\.accel = "/);
    expect(stdout).not.toContain('agent.count');
  });

  test('prints random completions, the same for the same seed', async () => {
    const args = [
      'edl',
      'grammar',
      'simple_spread',
      '--shape',
      'list',
      '--count',
      '2',
      '--examples',
      '2',
      '--seed',
      '4',
    ];
    const [first, second] = [await runCli(args), await runCli(args)];
    expect(first.stdout).toBe(second.stdout);
    expect(first.stdout.trim().split('\n\n').length).toBe(4);
  });

  test.each([
    [['nowhere'], 'nowhere'],
    [['simple_spread', '--kinds', 'rool'], 'there are mission, set'],
    [['simple_spread', '--kinds', 'schedule'], 'nothing to write'],
    [['simple_spread', '--count', '99'], '1 to 12'],
  ])('%j is bad input', async (args, message) => {
    const { code, stderr } = await runCli(['edl', 'grammar', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
