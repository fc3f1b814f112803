import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEngine } from '../../../../src/engine/rpc/index.ts';
import { encodePacket, PacketReader } from '../../../../src/engine/rpc/packet-stream.ts';
import { endpointOf } from '../../../../src/engine/rpc/private-socket.ts';
import { openStore } from '../../../../src/engine/store/index.ts';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { makeWorkspace, type SampleWorkspace } from '../../../support/sample-workspace.ts';

const tiny = `
name: tiny
environment: environments/spread.edl
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
budget: {steps: 1600, rounds: 1}
seeds: [1]
learner: {numEnvs: 16, minibatchSize: 400, hidden: 8}
evaluate: {every: 1600, episodes: 16}
`;

let workspace: SampleWorkspace;
beforeEach(() => {
  workspace = makeWorkspace({ 'experiments/tiny.yaml': tiny });
});
afterEach(() => workspace.remove());

describe('a workspace that another engine holds', { timeout: 120_000 }, () => {
  test('takes a run that is typed in a terminal, and reading commands still work', async () => {
    const engine = await openEngine({ root: workspace.root });
    try {
      const { code, stdout, stderr } = await runCli([
        'run',
        path.join(workspace.root, 'experiments/tiny.yaml'),
        '--json',
      ]);
      expect(stderr).toContain('handed to it');
      expect(code).toBe(0);
      expect(parseLines(stdout).at(-1)).toMatchObject({ event: 'study.finished' });
      const listed = parseLines(
        (await runCli(['runs', 'list', '--workspace', workspace.root, '--json'])).stdout,
      );
      const [study] = await engine.client.runs.list({});
      expect(listed.map((each) => each.studyId)).toEqual([study?.studyId]);
    } finally {
      await engine.close();
    }
  });

  test('a run ends with 1 when that engine goes away', async () => {
    const longer = tiny.replace('1600, rounds', '2_000_000, rounds');
    workspace.remove();
    workspace = makeWorkspace({ 'experiments/tiny.yaml': longer });
    const engine = await openEngine({ root: workspace.root });
    const { code, stderr } = await runCli(['run', path.join(workspace.root, 'experiments/tiny.yaml')], {
      onStart: (child) => {
        child.stderr?.on('data', (chunk: string) => {
          if (chunk.includes(': started')) void engine.close();
        });
      },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/--resume|engine/);
  });
});

test.skipIf(process.platform === 'win32')(
  'an interrupt at once ends a run that waits for an engine which was stopped',
  { timeout: 60_000 },
  async () => {
    const store = openStore(workspace.root);
    const endpoint = endpointOf(workspace.root, store.token);
    let interruptedAt = 0;
    let child: ChildProcess | null = null;
    const server = createServer(() => {
      interruptedAt = performance.now();
      child?.kill('SIGTERM');
    }).listen(endpoint);
    store.publishEndpoint(endpoint);
    try {
      const { code, stderr } = await runCli(['run', path.join(workspace.root, 'experiments/tiny.yaml')], {
        onStart: (started) => {
          child = started;
        },
      });
      expect(performance.now() - interruptedAt).toBeLessThan(5_000);
      expect(code).toBe(1);
      expect(stderr).toContain('interrupted');
    } finally {
      server.close();
      store.close();
    }
  },
);

describe.skipIf(process.platform === 'win32')(
  'an engine that was stopped after it greeted',
  { timeout: 60_000 },
  () => {
    test.each([
      ['runs.start', ['run', 'experiments/tiny.yaml']],
      ['coach.list', ['coach', 'review', 'p1', '--accept']],
    ])('leaves %s without an answer: the first interrupt ends the wait', async (call, args) => {
      const store = openStore(workspace.root);
      const endpoint = endpointOf(workspace.root, store.token);
      let interruptedAt = 0;
      let child: ChildProcess | null = null;
      const server = createServer((socket) => {
        socket.on('error', () => undefined).write(encodePacket({ kind: 'welcome' }));
        const reader = new PacketReader();
        socket.on('data', (bytes) => {
          if (!reader.push(bytes).some(({ text }) => text.includes(call))) return;
          interruptedAt = performance.now();
          child?.kill('SIGTERM');
        });
      }).listen(endpoint);
      store.publishEndpoint(endpoint);
      try {
        const { code, stderr } = await runCli([...args, '--workspace', workspace.root], {
          onStart: (started) => {
            child = started;
          },
        });
        expect(performance.now() - interruptedAt).toBeLessThan(5_000);
        expect(code).toBe(1);
        expect(stderr).toMatch(/interrupted while the engine.*did not answer/);
      } finally {
        server.close();
        store.close();
      }
    });
  },
);

describe('a database of a newer version', () => {
  test('ends with 2, names the file and is left alone', async () => {
    const folder = path.join(workspace.root, '.gymwright');
    mkdirSync(folder);
    const db = new Database(path.join(folder, 'gymwright.db'));
    db.pragma('user_version = 9999');
    db.close();
    for (const args of [
      ['runs', 'list'],
      ['run', 'experiments/tiny.yaml'],
    ]) {
      const { code, stderr } = await runCli([...args, '--workspace', workspace.root]);
      expect(code).toBe(2);
      expect(stderr).toContain('gymwright.db');
    }
    const after = new Database(path.join(folder, 'gymwright.db'), { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(9999);
    after.close();
  });
});
