import { expect, test } from 'vitest';
import { HostProcess } from '../../../../src/engine/coach/model/host-process.ts';
import { rejectedBy } from '../../../support/error-code.ts';

test('a request whose signal is aborted already starts no process', async () => {
  const host = new HostProcess('/nowhere/model-host.js', () => undefined);
  const limits = { timeoutMs: 1000, graceMs: 1000, signal: AbortSignal.abort() };
  const memory = { contextTokens: 512, weightsBytes: 0, cacheBytes: 0, workBytes: 0 };
  const context = { contextTokens: 512 };
  const load = { path: 'm.gguf', ...context, threads: 1, gpu: 0, adapters: [], memory };
  const error = await rejectedBy(host.request({ verb: 'load', load }, limits));
  expect(error.code).toBe('model.cancelled');
  expect(host.pid).toBeNull();
});
