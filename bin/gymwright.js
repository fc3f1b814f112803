#!/usr/bin/env node
// The installed command: starts the built command line, under a Node that loads its native parts.

const { existsSync } = require('node:fs');
const path = require('node:path');
const { enableCompileCache } = require('node:module');

const root = path.join(__dirname, '..');
const entry = path.join(root, 'out', 'main', 'cli.js');

async function start() {
  const { chooseNode, runInPlace } = await import('../scripts/bootstrap/node-runtime.mjs');
  const node = chooseNode();
  if (node !== process.execPath) return runInPlace(node, [__filename, ...process.argv.slice(2)]);
  if (!existsSync(entry)) {
    const args = process.argv.slice(2).join(' ');
    throw new Error(
      `nothing is built yet in ${root}; \`npm start -- ${args}\` there builds what is missing and goes on`,
    );
  }
  enableCompileCache?.();
  require(entry);
  return undefined;
}

start().then(
  (code) => {
    if (code !== undefined) process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`gymwright: ${error.message}\n`);
    process.exitCode = 1;
  },
);
