import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, openReader } from '../../../../src/engine/rpc/index.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { trainTiny } from '../../../support/trained-workspace.ts';

let root = '';
let runId = '';
let reader: Opened;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'gymwright-plays-'));
  runId = await trainTiny(root);
  reader = await openReader({ root });
}, 120_000);
afterAll(async () => {
  await reader?.close();
  rmSync(root, { recursive: true, force: true });
});

describe('plays of policies', () => {
  test('a run is watched beside a live engine, too: what there is, and an episode of it', async () => {
    const { policies } = reader.client;
    const playable = await policies.playable({ runId });
    expect(playable).toMatchObject({ training: [{ from: 0, to: 1 }], objective: 'simple_spread' });
    expect(playable.policies.map(({ round, groups }) => [round, groups])).toEqual([
      [1, ['agent']],
      [0, ['agent']],
    ]);
    expect(playable.policies[0]?.objective).toBeTypeOf('number');
    const view = await policies.play({ runId, environment: 'training', seed: 2 });
    expect(view.steps).toHaveLength(25);
    // The scenario and the policy that `sim draw` would be given draw the same.
    const exported = await policies.list({ runId });
    const file = exported.find(({ round }) => round === 1)?.file ?? '';
    const { frames } = await reader.client.simulator.frames({
      scenario: 'simple_spread',
      policies: [join(root, file)],
      seed: 2,
    });
    expect(view.frames).toEqual(frames);
  });

  test('a play is ended by its ticket; one that is over, and its ticket, are left alone', async () => {
    const { policies } = reader.client;
    const playing = rejectedBy(policies.play({ runId, ticket: 'a' }));
    await policies.cancelPlay({ ticket: 'a' });
    expect((await playing).code).toBe('run.cancelled');
    await policies.cancelPlay({ ticket: 'a' });
    expect((await policies.play({ runId, ticket: 'a' })).ending).toBe('truncated');
  });

  test('a run that is not there is store.notFound', async () => {
    const { policies } = reader.client;
    expect((await rejectedBy(policies.playable({ runId: 'nobody' }))).code).toBe('store.notFound');
    expect((await rejectedBy(policies.play({ runId: 'nobody' }))).code).toBe('store.notFound');
  });
});
