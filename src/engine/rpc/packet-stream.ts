import type { Socket } from 'node:net';
import type { Channel } from '../../shared/contract/channel.ts';
import {
  type CodedMessage,
  decodeMessage,
  encodeMessage,
  maxFrames,
  tooLarge,
} from '../../shared/contract/codec.ts';
import { AppError } from '../../shared/std/app-error.ts';

/**
 * Messages over a byte stream. A packet is: magic "GW", u16 number of frames, u32 length of each part (text first, then the
 * frames), then the parts. Little-endian. A stream that is out of step cannot be found again and is closed.
 */
const magic = 0x5747;
const maxPacketBytes = 256 * 1024 * 1024;
/** Magic, number of frames, length of the text. */
const minHeaderBytes = 8;
const maxBufferedBytes = 64 * 1024 * 1024;

/** Throws what encodeMessage throws; rpc.tooLarge for a packet that the other side would take for none. */
export function encodePacket(message: unknown): Buffer {
  const { text, frames } = encodeMessage(message);
  const parts = [Buffer.from(text, 'utf8'), ...frames];
  const headerBytes = 4 + parts.length * 4;
  const total = parts.reduce((sum, { byteLength }) => sum + byteLength, headerBytes);
  if (total > maxPacketBytes) throw tooLarge(`it has ${total} bytes, ${maxPacketBytes} may be`);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(magic, 0);
  header.writeUInt16LE(frames.length, 2);
  for (const [index, part] of parts.entries()) header.writeUInt32LE(part.byteLength, 4 + index * 4);
  return Buffer.concat([header, ...parts]);
}

/** Cuts a byte stream into packets. Throws rpc.badArguments when the stream is none of ours. */
export class PacketReader {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes without which nothing more can be read. */
  private needed = minHeaderBytes;

  /** Packets that are complete with these bytes. */
  push(bytes: Buffer): CodedMessage[] {
    this.chunks.push(bytes);
    this.size += bytes.length;
    const packets: CodedMessage[] = [];
    while (this.size >= this.needed) {
      const packet = this.take(this.joined());
      if (packet !== null) packets.push(packet);
    }
    return packets;
  }

  private joined(): Buffer {
    const all = this.chunks.length === 1 ? (this.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }

  /** The packet at the start, or null after raising `needed` to what it takes to go on. */
  private take(pending: Buffer): CodedMessage | null {
    const numFrames = pending.readUInt16LE(2);
    if (pending.readUInt16LE(0) !== magic || numFrames > maxFrames) throw notOurs();
    const headerBytes = minHeaderBytes + numFrames * 4;
    if (pending.length < headerBytes) return this.wait(headerBytes);
    const lengths = Array.from({ length: numFrames + 1 }, (_, index) => pending.readUInt32LE(4 + index * 4));
    const total = lengths.reduce((sum, length) => sum + length, headerBytes);
    if (total > maxPacketBytes) throw notOurs();
    if (pending.length < total) return this.wait(total);
    this.chunks = [pending.subarray(total)];
    this.size = pending.length - total;
    this.needed = minHeaderBytes;
    return splitParts(pending, headerBytes, lengths);
  }

  private wait(needed: number): null {
    this.needed = needed;
    return null;
  }
}

function splitParts(packet: Buffer, start: number, lengths: readonly number[]): CodedMessage {
  const parts: Buffer[] = [];
  let offset = start;
  for (const length of lengths) {
    parts.push(packet.subarray(offset, offset + length));
    offset += length;
  }
  const [text = Buffer.alloc(0), ...frames] = parts;
  return { text: text.toString('utf8'), frames };
}

function notOurs(): AppError {
  return new AppError('rpc.badArguments', 'malformed message: the stream is out of step and was closed');
}

/** A message that cannot be read is passed on as an AppError for the receiver to answer. */
export function packetChannel(socket: Socket, reasonOfClose: () => AppError): Channel {
  const reader = new PacketReader();
  const listeners = new Set<(message: unknown) => void>();
  const deliver = (message: unknown): void => {
    for (const listener of [...listeners]) listener(message);
  };
  socket.on('data', (bytes: Buffer) => {
    const packets = readOrError(reader, bytes);
    if (!(packets instanceof AppError)) {
      for (const packet of packets) deliver(decodeOrError(packet));
      return;
    }
    deliver(packets);
    socket.end();
  });
  return {
    send(message) {
      if (socket.destroyed || socket.writableEnded) return;
      if (socket.writableLength > maxBufferedBytes) socket.destroy();
      else socket.write(encodePacket(message));
    },
    onMessage: (listener) => void listeners.add(listener),
    onClose: (listener) => void socket.on('close', () => listener(reasonOfClose())),
    close: () => void socket.end(),
  };
}

function readOrError(reader: PacketReader, bytes: Buffer): CodedMessage[] | AppError {
  try {
    return reader.push(bytes);
  } catch (error) {
    return AppError.from(error);
  }
}

function decodeOrError(packet: CodedMessage): unknown {
  try {
    return decodeMessage(packet);
  } catch (error) {
    return AppError.from(error);
  }
}
