// `npm run bench [PART…]`: runs the parts of bench/, each in a process of its own, one after the other; prints a table
// and keeps the figures of this machine in bench/results/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { bootstrap } from './bootstrap/index.mjs';
import { inProject, root } from './bootstrap/project.mjs';
import { BootstrapError, runMain, say } from './bootstrap/report.mjs';

const supporting = new Set(['figure.ts', 'kept-figure.ts']);
/** Takes minutes (learning curves over seeds) or needs a model: run when named. */
const onlyWhenNamed = new Set(['learn-curve', 'model-beside-training']);

function listParts() {
  return readdirSync(inProject('bench'))
    .filter((name) => name.endsWith('.ts') && !supporting.has(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

/** What the figures depend on. */
function describeMachine() {
  const [cpu] = os.cpus();
  const { dependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout?.trim();
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGB: Math.round(os.totalmem() / 1e8) / 10,
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    onnxruntime: dependencies['onnxruntime-node'],
    commit: commit || 'unknown',
    measuredAt: new Date().toISOString(),
    loadBefore: os.loadavg()[0],
  };
}

const fileName = ({ cpu, cores }) =>
  `${cpu} ${cores} cores`
    .toLowerCase()
    .replace(/\([^)]*\)|[^a-z0-9]+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');

function runPart(name) {
  say(`measuring ${name} …`);
  const result = spawnSync(process.execPath, [inProject('bench', `${name}.ts`)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) return { failure: result.signal ?? `exit code ${result.status}` };
  const lastLine = result.stdout.trim().split('\n').at(-1) ?? '';
  return JSON.parse(lastLine);
}

const show = (value) =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(4);

function judge({ value, aim }) {
  if (aim === undefined) return ['', ''];
  const [limit, isMet] =
    'atLeast' in aim
      ? [`≥ ${show(aim.atLeast)}`, value >= aim.atLeast]
      : [`≤ ${show(aim.atMost)}`, value <= aim.atMost];
  return [limit, isMet ? 'yes' : 'no'];
}

async function printTable(parts) {
  const { formatTable } = await import('../src/main/cli/text-table.ts');
  const rows = Object.entries(parts).flatMap(([part, { figures = [], failure }]) =>
    failure
      ? [[part, 'failed', failure, '', '', 'no']]
      : figures.map((figure) => [part, figure.name, show(figure.value), figure.unit, ...judge(figure)]),
  );
  console.log(formatTable(['part', 'figure', 'value', 'unit', 'aim', 'met'], rows));
}

/** Parts that were not measured now keep what was measured before, with its own header. */
function keep(machine, parts) {
  const folder = inProject('bench', 'results');
  const file = inProject('bench', 'results', `${fileName(machine)}.json`);
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).parts : {};
  const measured = Object.fromEntries(
    Object.entries(parts)
      .filter(([, { failure }]) => failure === undefined)
      .map(([name, report]) => [name, { machine, ...report }]),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ parts: { ...earlier, ...measured } }, null, 2)}\n`);
  return file;
}

await runMain(() =>
  bootstrap(async () => {
    const known = listParts();
    const asked = process.argv.slice(2);
    const unknown = asked.find((name) => !known.includes(name));
    if (unknown) throw new BootstrapError(`no benchmark "${unknown}"; there are ${known.join(', ')}`);
    const machine = describeMachine();
    const parts = Object.fromEntries(
      (asked.length > 0 ? asked : known.filter((name) => !onlyWhenNamed.has(name))).map((name) => [
        name,
        runPart(name),
      ]),
    );
    console.log(
      `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, Node ${machine.node}, commit ${machine.commit}`,
    );
    await printTable(parts);
    say(`kept in ${keep(machine, parts)}`);
    return Object.values(parts).some(({ failure }) => failure !== undefined) ? 1 : 0;
  }),
);
