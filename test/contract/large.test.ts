import { describe, expect, test } from 'vitest';
import type { Served } from '../../src/engine/rpc/serve-channel.ts';
import { rejectedBy } from '../support/error-code.ts';
import { transports } from '../support/transports.ts';

const arrays = Array.from({ length: 10_001 }, () => new Uint8Array(1));
const long = new Uint8Array(64 * 1024 * 1024 + 1);

/** Answers with what it is asked for; "large" has more arrays than a message may. */
const served: Served = {
  dispatch: async (call, args) => ({ ok: true, value: call === 'large' ? arrays : args }),
  subscribe: () => () => undefined,
};

describe.each(Object.entries(transports).filter(([name]) => name !== 'in process'))(
  '%s',
  (_name, connect) => {
    test('an answer that is too large is a coded error, and the connection goes on', async () => {
      const transport = await connect(served);
      expect((await rejectedBy(transport.request('large', {}))).code).toBe('rpc.tooLarge');
      expect(await transport.request('echo', { a: 1 })).toEqual({ a: 1 });
    });

    test('a request that is too large is not sent, and the connection goes on', async () => {
      const transport = await connect(served);
      expect((await rejectedBy(transport.request('echo', arrays))).code).toBe('rpc.tooLarge');
      expect(await transport.request('echo', { a: 1 })).toEqual({ a: 1 });
    });
  },
);

test('a part that would end a WebSocket is refused before it is sent', async () => {
  const transport = await (transports.WebSocket as (typeof transports)[string])(served);
  expect((await rejectedBy(transport.request('echo', [long]))).code).toBe('rpc.tooLarge');
  expect((await rejectedBy(transport.request('echo', 'é'.repeat(long.length / 2)))).code).toBe(
    'rpc.tooLarge',
  );
  expect(await transport.request('echo', { a: 1 })).toEqual({ a: 1 });
});
