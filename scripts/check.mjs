// `npm run check [NAME…]`: types, lint with format, imports and cycles, native includes, generated files.
import { spawn } from 'node:child_process';
import { checkGenerated } from './bootstrap/generate.mjs';
import { bootstrap } from './bootstrap/index.mjs';
import { inProject, root } from './bootstrap/project.mjs';
import { BootstrapError, runMain } from './bootstrap/report.mjs';
import { checkNativeIncludes } from './native-includes.mjs';

const inModules = (...parts) => inProject('node_modules', ...parts);
const types = (project) => [inModules('typescript', 'bin', 'tsc'), '-p', `tsconfig.${project}.json`];

/** Each returns null or what is wrong. */
const checks = {
  generated: async () => checkGenerated(),
  includes: async () => checkNativeIncludes(inProject('native')),
  'types shared': () => run(types('shared')),
  'types node': () => run(types('node')),
  'types web': () => run(types('web')),
  'types e2e': () => run(types('e2e')),
  lint: () =>
    run([
      inModules('@biomejs', 'biome', 'bin', 'biome'),
      'check',
      '--error-on-warnings',
      '--max-diagnostics=none',
      '.',
    ]),
};

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0 ? null : output.trimEnd() || `exit code ${code}`));
  });
}

async function runCheck(name) {
  const started = performance.now();
  const problem = await checks[name]();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${problem === null ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)\n`);
  if (problem !== null) process.stdout.write(`${problem}\n\n`);
  return problem === null;
}

async function runChecks(names) {
  const passed = [];
  // Generators rewrite what the other checks read, so they go first and alone.
  if (names.includes('generated')) passed.push(await runCheck('generated'));
  passed.push(...(await Promise.all(names.filter((name) => name !== 'generated').map(runCheck))));
  return passed.every(Boolean) ? 0 : 1;
}

await runMain(() => {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !(name in checks));
  if (unknown) throw new BootstrapError(`no check "${unknown}"; there are ${Object.keys(checks).join(', ')}`);
  const names = asked.length > 0 ? asked : Object.keys(checks);
  return bootstrap(() => runChecks(names), { bundles: false, native: false });
});
