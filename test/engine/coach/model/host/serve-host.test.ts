import { EventEmitter } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LlamaSession } from '../../../../../src/engine/coach/model/host/llama-session.ts';
import type { HostAnswer, HostRequest } from '../../../../../src/engine/coach/model/host/protocol.ts';
import { serveModelHost } from '../../../../../src/engine/coach/model/host/serve-host.ts';

/** The test's process is to keep its priority. */
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  setPriority: () => {},
}));

const load = {
  ...{ path: 'm.gguf', contextTokens: 128, threads: 1, gpu: 0 },
} as Extract<HostRequest, { verb: 'load' }>['load'];

function openHost() {
  const channel = new EventEmitter();
  const answers: HostAnswer[] = [];
  serveModelHost(
    Object.assign(channel, {
      send: (answer: HostAnswer) => answers.push(answer),
    }) as unknown as NodeJS.Process,
  );
  return async (request: object): Promise<HostAnswer | undefined> => {
    const before = answers.length;
    channel.emit('message', { id: before, ...request });
    await vi.waitFor(() => expect(answers).toHaveLength(before + 1));
    return answers.at(-1);
  };
}

describe('serveModelHost', () => {
  test('a model that fails to go away is not kept: the next one can be loaded', async () => {
    const describeIt = () => ({ gpu: null, gpuLayers: 0 });
    const stuck = { describe: describeIt, dispose: () => Promise.reject(new Error('stuck')) };
    const opened = vi.spyOn(LlamaSession, 'open').mockResolvedValue(stuck as unknown as LlamaSession);
    onTestFinished(() => opened.mockRestore());
    const ask = openHost();
    expect(await ask({ verb: 'load', load })).toMatchObject({ ok: true });
    expect(await ask({ verb: 'load', load })).toMatchObject({ ok: false });
    const score = { verb: 'score', request: { prefix: '', variants: [] } };
    expect(await ask(score)).toMatchObject({ ok: false, error: { code: 'model.notFound' } });
    expect(await ask({ verb: 'load', load })).toMatchObject({ ok: true });
  });
});
