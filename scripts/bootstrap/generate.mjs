import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint, listFiles, Stamp } from './fingerprint.mjs';
import { chooseNode } from './node-runtime.mjs';
import { inProject, root } from './project.mjs';
import { runStep } from './report.mjs';

/**
 * Everything that is generated, from tools/generators.json: name, inputs, outputs, command (arguments of Node).
 * Outputs are committed; `npm run check` fails where one is not what its generator writes.
 */
export function listGenerators() {
  return JSON.parse(readFileSync(inProject('tools', 'generators.json'), 'utf8'));
}

function stampOf({ name, inputs, outputs, command }) {
  const compute = () => fingerprint([...inputs, ...outputs], command);
  return new Stamp(`node_modules/.cache/gymwright/generated-${name}`, outputs, compute);
}

/** Runs the generators whose inputs or outputs changed; all of them with `force`. */
export function generate({ force = false } = {}) {
  for (const generator of listGenerators()) {
    const stamp = stampOf(generator);
    if (!force && stamp.isCurrent()) continue;
    runStep(`generating ${generator.name}`, chooseNode(), generator.command);
    stamp.write();
  }
}

const readAll = (outputs) => new Map(listFiles(outputs).map((file) => [file, readFileSync(file, 'utf8')]));

/** Puts the outputs back as they were: a check leaves no trace. */
function restore(before, after) {
  for (const file of after.keys()) if (!before.has(file)) rmSync(file);
  for (const [file, text] of before) if (after.get(file) !== text) writeFileSync(file, text);
}

/** Runs every generator and compares; returns null or which committed files are not what it writes. */
export function checkGenerated(generators = listGenerators()) {
  const stale = [];
  for (const generator of generators) {
    const before = readAll(generator.outputs);
    runStep(`generating ${generator.name}`, chooseNode(), generator.command);
    const after = readAll(generator.outputs);
    const names = new Set([...before.keys(), ...after.keys()]);
    stale.push(...[...names].filter((name) => before.get(name) !== after.get(name)));
    restore(before, after);
  }
  if (stale.length === 0) return null;
  const list = stale.map((file) => `  ${path.relative(root, file)}`).join('\n');
  return `not what the generators write (run \`npm run generate\` and commit):\n${list}`;
}
