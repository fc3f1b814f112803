import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/shared/contract/index.ts';
import { studyView } from '../support/fake-services.ts';
import { serveFakes } from '../support/serve-fakes.ts';
import { transports } from '../support/transports.ts';

describe.each(Object.entries(transports))('%s', (_name, connect) => {
  test('brings events with their payload, to those who asked for them only', async () => {
    const { served, voice } = serveFakes();
    const client = createClient(await connect(served));
    const heard: unknown[] = [];
    const unsubscribe = client.on('study.changed', (study) => heard.push(study));
    client.on('model.changed', (status) => heard.push(status));
    voice.emit('study.changed', studyView);
    voice.emit('engine.changed', {
      version: '0',
      pid: 1,
      node: '24',
      startedAt: 0,
      runningRuns: 0,
      numCores: 2,
    });
    voice.emit('model.changed', { state: 'ready', path: 'a.gguf', message: 'loaded' });
    await client.engine.status({});
    expect(heard).toEqual([studyView, { state: 'ready', path: 'a.gguf', message: 'loaded' }]);
    unsubscribe();
    voice.emit('study.changed', studyView);
    await client.engine.status({});
    expect(heard).toHaveLength(2);
  });

  test('log lines are told and kept for those who come later', async () => {
    const { served, voice } = serveFakes();
    const client = createClient(await connect(served));
    const lines: string[] = [];
    client.on('log.appended', (line) => lines.push(line.message));
    for (let index = 0; index < 510; index += 1) voice.write('info', `line ${index}`);
    const log = await client.engine.log({});
    expect(lines).toHaveLength(510);
    expect(log).toHaveLength(500);
    expect(log.at(-1)?.message).toBe('line 509');
  });
});

test('an event the contract does not have is a TypeError', async () => {
  const transport = await transports['in process']?.(serveFakes().served);
  if (transport === undefined) throw new Error('no transport');
  expect(() => createClient(transport).on('study.exploded' as 'study.changed', () => undefined)).toThrow(
    TypeError,
  );
});
