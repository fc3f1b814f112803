import { expect, test } from 'vitest';
import { connectSocket, endpointOf } from '../../../src/engine/rpc/private-socket.ts';
import { rejectedBy } from '../../support/error-code.ts';

test('the endpoint lies in the workspace, and elsewhere when its path is too long for a socket', () => {
  expect(endpointOf('/home/ada/spread', 'linux')).toBe('/home/ada/spread/.gymwright/engine.sock');
  const long = endpointOf(`/home/ada/${'x'.repeat(100)}`, 'linux');
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(103);
  expect(long).not.toContain('xxx');
});

test('on Windows it is a named pipe that differs by workspace', () => {
  const [one, other] = [endpointOf('C:\\a', 'win32'), endpointOf('C:\\b', 'win32')];
  expect(one).toMatch(/^\\\\\.\\pipe\\gymwright-[0-9a-f]{16}$/);
  expect(one).not.toBe(other);
});

test('connecting where nobody listens rejects with rpc.disconnected', async () => {
  expect((await rejectedBy(connectSocket('/nowhere/engine.sock', 'token'))).code).toBe('rpc.disconnected');
});
