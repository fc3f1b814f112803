import { AppError } from '../std/app-error.ts';
import { type Channel, createChannelTransport } from './channel.ts';
import { type CodedMessage, decodeMessage, encodeMessage, maxFrames, tooLarge } from './codec.ts';
import type { Transport } from './transport.ts';

/** The part of a WebSocket used here; a browser's and that of the `ws` package both have it. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

const openState = 1;
/** Of one text or binary frame; a server drops the peer that sends a longer one. */
export const maxMessageBytes = 64 * 1024 * 1024;
/** The number of frames and the end of its line come first. */
const maxTextBytes = maxMessageBytes - 6;
/** A peer that reads nothing for so long is dropped rather than buffered for without end. */
const maxBufferedBytes = 64 * 1024 * 1024;

/** Not a message: any message may be null. */
const incomplete = Symbol('incomplete');

/** Collects the binary frames a text announced. Text: `<number of frames>\n<JSON>`; then so many binary messages. */
class FrameCollector {
  private text: string | null = null;
  private missing = 0;
  private frames: Uint8Array[] = [];

  /** Returns a complete message, or `incomplete` while frames are missing. Throws rpc.badArguments when the order is broken. */
  add(data: unknown): unknown {
    if (typeof data === 'string') this.begin(data);
    else this.addFrame(data);
    if (this.text === null || this.missing > 0) return incomplete;
    const { text, frames } = this;
    this.text = null;
    return decodeMessage({ text, frames });
  }

  private begin(data: string): void {
    const isInside = this.text !== null;
    this.text = null;
    const end = data.indexOf('\n');
    const count = Number(data.slice(0, end));
    if (isInside)
      throw new AppError('rpc.badArguments', 'malformed message: binary frames are missing; it was ignored');
    if (end < 1 || !Number.isInteger(count) || count < 0 || count > maxFrames) {
      throw new AppError(
        'rpc.badArguments',
        'malformed message: the number of frames is missing; it was ignored',
      );
    }
    this.text = data.slice(end + 1);
    this.missing = count;
    this.frames = [];
  }

  private addFrame(data: unknown): void {
    if (this.text === null || !(data instanceof ArrayBuffer)) {
      throw new AppError(
        'rpc.badArguments',
        'malformed message: a binary frame that no text announced; it was ignored',
      );
    }
    this.frames.push(new Uint8Array(data));
    this.missing -= 1;
  }
}

/** Messages over a WebSocket. A message that cannot be read is passed on as an Error for the receiver to answer. */
export function webSocketChannel(socket: WebSocketLike): Channel {
  socket.binaryType = 'arraybuffer';
  const collector = new FrameCollector();
  const listeners = new Set<(message: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = collectOrError(collector, data);
    if (message !== incomplete) for (const listener of [...listeners]) listener(message);
  });
  return {
    send(message) {
      if (socket.readyState !== openState) return;
      if (socket.bufferedAmount > maxBufferedBytes) return socket.close(1013, 'too slow');
      const { text, frames } = encodeMessage(message);
      requireFitting({ text, frames });
      socket.send(`${frames.length}\n${text}`);
      for (const frame of frames) socket.send(frame);
    },
    onMessage: (listener) => void listeners.add(listener),
    onClose: (listener) =>
      socket.addEventListener('close', (event) => listener(closeReason(event.code, event.reason))),
    close: () => socket.close(1000),
  };
}

/** Bytes of a well-formed text in UTF-8. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Throws rpc.tooLarge for what the other side would close the connection over. */
function requireFitting({ text, frames }: CodedMessage): void {
  // Nearly no text has to be measured: none is longer than three bytes a unit.
  const textBytes = text.length * 3 > maxTextBytes ? utf8Bytes(text) : 0;
  const longest = frames.reduce((most, { byteLength }) => Math.max(most, byteLength), 0);
  if (textBytes <= maxTextBytes && longest <= maxMessageBytes) return;
  throw tooLarge(`a part of it has ${Math.max(textBytes, longest)} bytes, ${maxMessageBytes} may be`);
}

function collectOrError(collector: FrameCollector, data: unknown): unknown {
  try {
    return collector.add(data);
  } catch (error) {
    return AppError.from(error);
  }
}

function closeReason(code: number, reason: string): AppError {
  const detail = reason === '' ? `code ${code}` : reason;
  return new AppError(
    'rpc.disconnected',
    `the connection to the engine closed (${detail}): reload, or start it again with \`gymwright serve\``,
    {
      data: { code },
    },
  );
}

/** Waits until the socket is open. Rejects with rpc.disconnected when it closes instead (not running, wrong token). */
export function connectWebSocket(socket: WebSocketLike): Promise<Transport> {
  const transport = createChannelTransport(webSocketChannel(socket));
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(transport));
    transport.onClose(reject);
  });
}
