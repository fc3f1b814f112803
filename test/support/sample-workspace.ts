import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface SampleWorkspace {
  readonly root: string;
  remove(): void;
}

/** An experiment in a bare scenario with one arm, whose coach has those settings. */
export function coachedBy(coach: string): string {
  return `
name: asked
environment: simple_spread
objective: {metric: episode_return, group: agent}
budget: {steps: 1_000_000, rounds: 4}
seeds: [1]
coach: ${coach}
`;
}

/** A workspace with the shipped environments and prompts, and files of its own by path. */
export function makeWorkspace(files: Readonly<Record<string, string>> = {}): SampleWorkspace {
  const root = mkdtempSync(path.join(os.tmpdir(), 'gymwright-workspace-'));
  for (const part of ['environments', 'prompts']) {
    cpSync(path.join('resources', part), path.join(root, part), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
