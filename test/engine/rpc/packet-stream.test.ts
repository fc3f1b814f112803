import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePacket, PacketReader } from '../../../src/engine/rpc/packet-stream.ts';
import { decodeMessage } from '../../../src/shared/contract/codec.ts';
import { thrownBy } from '../../support/error-code.ts';

describe('PacketReader', () => {
  test('finds the packets however the stream is cut (seeded)', () => {
    const messages = [
      { id: 1, text: 'é' },
      { values: new Float64Array([1, 2]), more: new Uint8Array(3) },
      [],
      'x',
    ];
    const stream = Buffer.concat(messages.map((message) => encodePacket(message)));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 200 }), (cuts) => {
        const reader = new PacketReader();
        const found: unknown[] = [];
        let offset = 0;
        for (const cut of [...cuts, stream.length]) {
          for (const packet of reader.push(stream.subarray(offset, offset + cut)))
            found.push(decodeMessage(packet));
          offset += cut;
        }
        expect(found).toEqual(messages);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  test.each([
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a length beyond the limit', Buffer.from([0x47, 0x57, 0, 0, 0xff, 0xff, 0xff, 0xff])],
    ['too many frames', Buffer.from([0x47, 0x57, 0xff, 0xff, 0, 0, 0, 0])],
  ])('refuses %s', (_name, bytes) => {
    expect(thrownBy(() => new PacketReader().push(bytes)).code).toBe('rpc.badArguments');
  });

  test('what it would refuse is not written', () => {
    const half = new Uint8Array(128 * 1024 * 1024);
    expect(thrownBy(() => encodePacket([half, half])).code).toBe('rpc.tooLarge');
  });

  test('takes a large message in many pieces without copying it each time', () => {
    const packet = encodePacket({ values: new Float64Array(2_000_000) });
    const reader = new PacketReader();
    const started = performance.now();
    let found = 0;
    for (let offset = 0; offset < packet.length; offset += 4096)
      found += reader.push(packet.subarray(offset, offset + 4096)).length;
    expect(found).toBe(1);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
