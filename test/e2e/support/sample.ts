import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSampleWorkspace } from '../../../src/engine/rpc/sample-workspace.ts';

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));
export const builtMain = path.join(projectFolder, 'out', 'main');

/** A short study whose coach asks after every round and whose proposals wait for a person. */
export const reviewExperiment = `name: review
environment: environments/spread.edl
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
budget: {steps: 400_000, rounds: 8}
seeds: [1]
learner: {numEnvs: 64, minibatchSize: 960}
evaluate: {every: 20_000, episodes: 128}
coach:
  provider: rules
  trigger: {interval: 1}
  mode: manual
  candidates: 1
  whatif: {share: 25%, seeds: 1, retest: 1, episodes: 256}
arms:
  - {name: fixed, coach: none}
  - {name: coached}
`;

export interface Sample {
  readonly root: string;
  remove(): void;
}

/** The sample workspace with the review experiment in it, in a temporary folder. */
export function makeSample(): Sample {
  const root = mkdtempSync(path.join(tmpdir(), 'gymwright-e2e-'));
  createSampleWorkspace(root);
  writeFileSync(path.join(root, 'experiments', 'review.yaml'), reviewExperiment);
  return {
    root,
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

export interface ServeProcess {
  readonly url: string;
  readonly port: number;
  /** Ends it as Ctrl+C does and gives its exit code. */
  interrupt(): Promise<number | null>;
}

/** `gymwright serve` as a person runs it, from the bundle. */
export function startServe(root: string, args: readonly string[] = []): Promise<ServeProcess> {
  const child = spawn(
    process.execPath,
    [path.join(builtMain, 'cli.js'), 'serve', '--workspace', root, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:(\d+)\/\S*/.exec(output);
      if (!url) return;
      const interrupt = (): Promise<number | null> => {
        child.kill('SIGINT');
        return exited;
      };
      resolve({ url: url[0], port: Number(url[1]), interrupt });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => reject(new Error(`serve ended with ${code}: ${output}`)));
  });
}
