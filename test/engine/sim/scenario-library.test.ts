import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/index.ts';
import { binding, loadLibraries, scenarioLibraries } from '../../../src/engine/sim/binding.ts';
import { loadScenarioLibrary, scenarioManifest, scenarioNames } from '../../../src/engine/sim/catalogue.ts';
import { checkScenario } from '../../../src/engine/sim/check-scenario.ts';
import { createVecEnv } from '../../../src/engine/sim/create-vec-env.ts';
import { shapesOf } from '../../../src/shared/rl/frame.ts';
import { hashHeader, hashHeaders, headerText } from '../../../tools/header-hash.ts';
import { runCli } from '../../support/run-cli.ts';

const template = resolve('templates/scenario');
const include = resolve('native/include');
const suffix = process.platform === 'win32' ? '.dll' : '.so';

function cmake(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('cmake', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cmake ${args.join(' ')}: ${stdout}${stderr}`);
}

describe('a library of scenarios made from the template', () => {
  let folder = '';
  let library = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gymwright-scenario-'));
    for (const file of ['CMakeLists.txt', 'gather.cpp'])
      copyFileSync(join(template, file), join(folder, file));
    const build = join(folder, 'build');
    cmake('-S', folder, '-B', build, '-DCMAKE_BUILD_TYPE=Release', `-DGYMWRIGHT_INCLUDE=${include}`);
    cmake('--build', build, '--config', 'Release');
    library = join(build, process.platform === 'win32' ? 'Release' : '', `my_scenarios${suffix}`);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is loaded by its path, once, and adds its scenarios', () => {
    expect(loadScenarioLibrary(library)).toEqual(['gather']);
    expect(loadScenarioLibrary(library)).toEqual(['gather']);
    expect(scenarioNames()).toContain('gather');
    expect(scenarioManifest('gather', { 'walker.count': 2 })).toMatchObject({ numAgents: 2, stateDim: 8 });
  });

  test('holds what every scenario has to hold', () => {
    for (const name of scenarioNames()) {
      const { problems, episodes } = checkScenario(name);
      expect(problems).toEqual([]);
      expect(episodes).toBeGreaterThan(70);
    }
  }, 120_000);

  test('is drawn by what its manifest says and what it adds', () => {
    loadScenarioLibrary(library);
    const spec = { scenario: 'gather', parameters: {}, program: null, scripted: {} };
    const frame = createVecEnv(spec, { numEnvs: 1, seed: 1n, firstEpisode: 0 }).frame(0);
    const walkers = ['disc walker', 'disc walker', 'disc walker'];
    expect(shapesOf(frame).map(({ kind, role }) => `${kind} ${role}`)).toEqual([
      'disc beacon',
      ...walkers,
      'ring goal',
    ]);
    expect(frame.status).toBe('0 of 3 arrived');
    expect(frame.box).toEqual({ left: -10, bottom: -10, right: 10, top: 10, cell: 0 });
  });

  test('is stepped like any other, and an environment may extend it', () => {
    const text = `environment quick extends gather {
      rule near { for a in walker when distance(a, nearest(beacon)) > 2 m then a.speed *= 2 }
      reward close { for a in walker give 0.1 to a limit 10% of nominal }
    }`;
    const compiled = compile(text, { manifest: scenarioManifest, scenarioNames });
    expect(compiled.diagnostics).toEqual([]);
    const { spec } = compiled.environment ?? expect.fail('it did not compile');
    const env = createVecEnv(
      { ...spec, scripted: { walker: 'walk_there' } },
      { numEnvs: 4, seed: 1n, firstEpisode: 0 },
    );
    const idle = new Int32Array(4 * env.numAgents);
    let arrivals = 0;
    for (let step = 0; step < 60; step++) {
      env.step(idle);
      arrivals += env.terminated.reduce((sum, each) => sum + each, 0);
    }
    expect(env.takeFireCounts().some((count) => count > 0)).toBe(true);
    expect(arrivals).toBeGreaterThan(0);
    env.dispose();
  });

  test('is not opened for continuous actions where it has none', () => {
    const spec = { scenario: 'gather', parameters: {}, program: null, scripted: {} };
    const options = { numEnvs: 1, seed: 1n, firstEpisode: 0, continuousActions: true };
    expect(() => createVecEnv(spec, options)).toThrow(
      new RangeError('options.continuousActions must be false: scenario gather has discrete actions only'),
    );
  });

  test('is named by GYMWRIGHT_SCENARIOS, and a bad entry names the variable', () => {
    expect(loadLibraries(binding(), undefined)).toEqual([]);
    expect(loadLibraries(binding(), library)).toEqual([{ path: library, scenarios: ['gather'] }]);
    expect(() => loadLibraries(binding(), join(folder, 'nothing.so'))).toThrow(
      expect.objectContaining({
        code: 'scenario.badLibrary',
        message: expect.stringMatching(/there is no such file.*GYMWRIGHT_SCENARIOS/),
      }),
    );
    expect(scenarioLibraries()).toEqual([]);
  });

  test('another library may not take a name that is there', () => {
    const twin = join(folder, `twin${suffix}`);
    copyFileSync(library, twin);
    expect(() => loadScenarioLibrary(twin)).toThrow(
      expect.objectContaining({
        code: 'scenario.badLibrary',
        message: expect.stringContaining('there is a scenario gather already'),
      }),
    );
  });

  test('scenarios check plays it, for people and for scripts', async () => {
    const told = await runCli(['scenarios', 'check', library]);
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing wrong found') });
    const { stdout } = await runCli(['scenarios', 'check', library, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'gather', problems: [] });
    expect(await runCli(['scenarios', 'check', join(folder, 'nothing.so')])).toMatchObject({ code: 2 });
  });
});

describe('loadScenarioLibrary', () => {
  const refused = (path: string, part: string) =>
    expect(() => loadScenarioLibrary(path)).toThrow(
      expect.objectContaining({ code: 'scenario.badLibrary', message: expect.stringContaining(part) }),
    );

  test('refuses what is no library and a library without scenarios', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gymwright-library-'));
    const text = join(folder, 'text.so');
    writeFileSync(text, 'no library');
    refused(text, 'cannot be loaded');
    refused(folder, 'it is a folder');
    refused('/dev/null', 'not a file');
    refused('', 'there is no such file');
    refused(resolve('build/Release/gymwright.node'), 'GYMWRIGHT_SCENARIO_LIBRARY');
    rmSync(folder, { recursive: true });
  });

  // Without CMake, as quick as it gets; the compiler is called c++ everywhere but on Windows.
  test.skipIf(process.platform === 'win32')(
    'refuses a library of another version, and one whose manifest contradicts itself',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'gymwright-library-'));
      refused(build(folder, 'old', oldLibrary), 'it was built for "gymwright scenario 0"');
      refused(build(folder, 'spoilt', spoiltLibrary()), 'scenario spoilt: version is 0, not in 1..');
      refused(
        build(folder, 'thrower', spoiltLibrary('throw std::runtime_error("no luck");')),
        'scenario spoilt: its make threw "no luck"',
      );
      refused(
        build(folder, 'wrong', spoiltLibrary('values.number("sped");')),
        'its make threw "there is no parameter sped"',
      );
      refused(
        build(folder, 'other', spoiltLibrary('', '{{"a", "int", "m", 0, 0, 1, false, false, ""}}')),
        "parameter a: the manifest's parameters and those of the entry differ",
      );
      expect(scenarioNames()).not.toContain('spoilt');
      rmSync(folder, { recursive: true });
    },
    120_000,
  );

  test.skipIf(process.platform === 'win32')(
    'what a scenario throws in a step is an error of the call, and the process goes on',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'gymwright-library-'));
      const code = readFileSync(join(template, 'gather.cpp'), 'utf8')
        .replaceAll('"gather"', '"stumbler"')
        .replace(
          'double sum = 0.0;',
          'double sum = 0.0;\n    if (state[2 * count_ + 2] > 0.0) throw std::runtime_error("no luck");',
        );
      expect(loadScenarioLibrary(build(folder, 'stumbler', code))).toEqual(['stumbler']);
      const spec = { scenario: 'stumbler', parameters: {}, program: null, scripted: {} };
      const env = createVecEnv(spec, { numEnvs: 1, seed: 1n, firstEpisode: 0 });
      const idle = new Int32Array(env.numAgents);
      env.step(idle);
      expect(() => env.step(idle)).toThrow('no luck');
      env.dispose();
      rmSync(folder, { recursive: true });
    },
    120_000,
  );

  test.skipIf(process.platform === 'win32')(
    'refuses a scenario that writes past the end of an array, or throws in its first step',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'gymwright-library-'));
      const code = readFileSync(join(template, 'gather.cpp'), 'utf8').replaceAll('"gather"', '"sprawler"');
      const wide = code.replace('m.stateDim = 4 * count_;', 'm.stateDim = 3;');
      refused(build(folder, 'wide', wide), 'writeState writes past the end of its 3 words (stateDim)');
      const hasty = code.replace(
        'double sum = 0.0;',
        'double sum = 0.0; throw std::runtime_error("no luck");',
      );
      refused(build(folder, 'hasty', hasty), 'its reset, advance or a write function threw "no luck"');
      rmSync(folder, { recursive: true });
    },
    120_000,
  );

  test.skipIf(process.platform === 'win32')(
    'scripted policies that depend on more than the state are found',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'gymwright-library-'));
      const code = readFileSync(join(template, 'gather.cpp'), 'utf8')
        .replaceAll('"gather"', '"drifter"')
        .replace(
          'const int towards = ',
          'static int calls = 0;\n      const int towards = ++calls % 4 == 0 ? 0 : ',
        );
      expect(loadScenarioLibrary(build(folder, 'drifter', code))).toEqual(['drifter']);
      expect(checkScenario('drifter').problems).toEqual([
        'walker played by walk_there: an episode depends on the number of copies, or on what was restored into another copy',
      ]);
      rmSync(folder, { recursive: true });
    },
    120_000,
  );

  test.skipIf(process.platform === 'win32')(
    'refuses a library built against other headers, be it by one field of one struct',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'gymwright-headers-'));
      cpSync(include, join(folder, 'include'), { recursive: true });
      const headers = join(folder, 'include', 'gymwright');
      const manifest = join(headers, 'manifest.hpp');
      const text = readFileSync(manifest, 'utf8');
      writeFileSync(manifest, text.replace('struct Attribute {', 'struct Attribute {\n  double weight = 0;'));
      writeFileSync(join(headers, hashHeader), headerText(hashHeaders(headers)));
      refused(
        build(folder, 'grown', spoiltLibrary(), join(folder, 'include')),
        'build it again against this version',
      );
      rmSync(folder, { recursive: true });
    },
    120_000,
  );

  test('the hash of the headers follows each of them and their names, and no ends of lines', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gymwright-headers-'));
    const headers = join(folder, 'gymwright');
    cpSync(join(include, 'gymwright'), headers, { recursive: true });
    const hash = hashHeaders(headers);
    expect(readFileSync(join(headers, hashHeader), 'utf8')).toBe(headerText(hash));
    const rng = readFileSync(join(headers, 'rng.hpp'), 'utf8');
    writeFileSync(join(headers, 'rng.hpp'), rng.replaceAll('\n', '\r\n'));
    expect(hashHeaders(headers)).toBe(hash);
    appendFileSync(join(headers, 'opcodes.def'), '\n');
    expect(hashHeaders(headers)).not.toBe(hash);
    rmSync(folder, { recursive: true });
  });
});

function build(folder: string, name: string, code: string, headers = include): string {
  const source = join(folder, `${name}.cpp`);
  const file = join(folder, `${name}.so`);
  writeFileSync(source, code);
  const options = ['-std=c++20', '-shared', '-fPIC', '-I', headers, '-o', file, source];
  const { status, stderr } = spawnSync('c++', options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return file;
}

const oldLibrary = `
  extern "C" const char* gymwrightScenarioAbi() { return "gymwright scenario 0"; }
  extern "C" const void* gymwrightScenarioTable() { return nullptr; }
`;

/** Its manifest has a name and nothing else. `inMake` runs where one is made; `declared` are the entry's parameters. */
const spoiltLibrary = (inMake = '', declared = '') => `
  #include "gymwright/scenario_library.hpp"
  using namespace gymwright;
  class Spoilt final : public Scenario {
   public:
    Spoilt() : Scenario() { manifest_ = Manifest{}; manifest_.name = "spoilt"; }
    void reset(double*, const EpisodeRng&) const override {}
    bool isValidState(const double*) const override { return true; }
    void decodeDiscrete(int, std::int32_t, double*) const override {}
    bool advance(double*, const double*, const double*, double*) const override { return false; }
    void writeObs(const double*, float*) const override {}
    void writeObs(const double*, double*) const override {}
    double signal(int, const double*, std::int32_t) const override { return 0; }
    int positionWord(int) const override { return 0; }
    void writeMetrics(const double*, std::int32_t, double*) const override {}
  };
  const ScenarioEntry kSpoilt = {"spoilt", [] { return std::vector<Parameter>(${declared}); },
    []([[maybe_unused]] const ParameterValues& values) -> std::shared_ptr<const Scenario> {
      ${inMake}
      return std::make_shared<Spoilt>();
    }};
  GYMWRIGHT_SCENARIO_LIBRARY(kSpoilt)
`;
