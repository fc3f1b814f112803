import os from 'node:os';
import path from 'node:path';
import { runInPlace } from './bootstrap/node-runtime.mjs';
import { inProject } from './bootstrap/project.mjs';
import { runStep } from './bootstrap/report.mjs';
import { requireToolchain } from './bootstrap/toolchain.mjs';

/**
 * Builds and runs the C++ tests (CTest) and returns the exit code. CMake itself rebuilds only what changed.
 * With `sanitize` they run under the address and undefined-behaviour sanitizers, in a build of their own.
 */
export async function testNative({ sanitize = false, args = [] } = {}) {
  requireToolchain();
  const build = inProject(sanitize ? 'build-asan' : 'build-native');
  const options = [
    '-DGYMWRIGHT_BUILD_TESTS=ON',
    '-DCMAKE_BUILD_TYPE=Release',
    `-DGYMWRIGHT_SANITIZE=${sanitize ? 'ON' : 'OFF'}`,
  ];
  runStep('configuring the native tests', 'cmake', ['-S', inProject(), '-B', build, ...options]);
  const jobs = String(os.availableParallelism());
  const compile = ['--build', build, '--config', 'Release', '--parallel', jobs];
  runStep('building the native tests', 'cmake', compile, { note: 'minutes the first time' });
  const reports = process.env.GYMWRIGHT_TEST_REPORTS;
  const junit = reports ? ['--output-junit', path.join(reports, 'native.xml')] : [];
  return runInPlace('ctest', [
    '--test-dir',
    build,
    '--build-config',
    'Release',
    '--output-on-failure',
    ...junit,
    ...args,
  ]);
}
