import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { encodePacket } from '../../../src/engine/rpc/packet-stream.ts';
import { connectSocket, endpointOf, listenPrivately } from '../../../src/engine/rpc/private-socket.ts';
import { createServed, createVoice } from '../../../src/engine/rpc/voice.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the endpoint lies in the workspace, and elsewhere when its path is too long for a socket', () => {
  expect(endpointOf('/home/ada/spread', 'token', 'linux')).toBe('/home/ada/spread/.gymwright/engine.sock');
  const long = endpointOf(`/home/ada/${'x'.repeat(100)}`, 'token', 'linux');
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(103);
  expect(long).not.toContain('xxx');
});

test('on Windows it is a named pipe whose name differs by workspace and start, and does not tell the token', () => {
  const names = [
    endpointOf('C:\\a', 'one', 'win32'),
    endpointOf('C:\\b', 'one', 'win32'),
    endpointOf('C:\\a', 'two', 'win32'),
  ];
  for (const name of names) expect(name).toMatch(/^\\\\\.\\pipe\\gymwright-[0-9a-f]{32}$/);
  expect(new Set(names).size).toBe(3);
});

test('connecting where nobody listens rejects with rpc.disconnected', async () => {
  expect((await rejectedBy(connectSocket('/nowhere/engine.sock', 'token'))).code).toBe('rpc.disconnected');
});

test('closing ends the connection also when the other side never does', async () => {
  const endpoint = join(temporaryFolder(), 'engine.sock');
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.write(encodePacket({ kind: 'welcome' }));
    onTestFinished(() => void socket.destroy());
  }).listen(endpoint);
  onTestFinished(() => void server.close());
  const { transport, close } = await connectSocket(endpoint, 'token');
  const closed = new Promise((resolve) => transport.onClose(resolve));
  close();
  expect(await closed).toMatchObject({ code: 'rpc.disconnected' });
});

function listen(root: string): ReturnType<typeof listenPrivately> {
  return listenPrivately(root, 'token', createServed({}, createVoice()));
}

function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

test.skipIf(process.platform === 'win32')(
  'a data folder that a group may write to is listened in',
  async () => {
    withUmask(0o002);
    const root = temporaryFolder();
    mkdirSync(join(root, '.gymwright'));
    const { endpoint, close } = await listen(root);
    expect(statSync(endpoint).mode & 0o777).toBe(0o600);
    await close();
  },
);

test.skipIf(process.platform === 'win32')(
  'a folder in the temporary directory that others may write to is refused, and nobody is told to delete anything',
  async () => {
    vi.stubEnv('TMPDIR', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const root = join(temporaryFolder(), 'x'.repeat(100));
    const folder = dirname(endpointOf(root, 'token'));
    expect(folder).toBe(join(process.env.TMPDIR ?? '', `gymwright-${userInfo().uid}`));
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const error = await rejectedBy(listen(root));
    expect(error.code).toBe('engine.unavailable');
    expect(error.message).toContain(folder);
    expect(error.message).not.toMatch(/remove|delete/);
  },
);
