import { fstatSync, readSync } from 'node:fs';
import { AppError } from '../../../shared/std/app-error.ts';

const chunkBytes = 1 << 20;

/** Reads forward through a file in chunks; every failure names the offset at which it happened. */
export class GgufCursor {
  readonly #descriptor: number;
  readonly #path: string;
  readonly fileBytes: number;
  #chunk = Buffer.alloc(0);
  #chunkStart = 0;
  offset = 0;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.fileBytes = fstatSync(descriptor).size;
  }

  fail(what: string, offset = this.offset): never {
    throw new AppError(
      'model.invalid',
      `${this.#path}: ${what} at byte ${offset}. Get the file again and compare its SHA-256 with the publisher's.`,
      {
        data: { path: this.#path, offset, what },
      },
    );
  }

  take(count: number, what: string): Buffer {
    if (count > this.fileBytes - this.offset) {
      this.fail(`the file ends inside ${what} (${count} bytes needed, ${this.fileBytes - this.offset} left)`);
    }
    const start = this.offset - this.#chunkStart;
    if (start < 0 || start + count > this.#chunk.length) this.#fill(count);
    const begin = this.offset - this.#chunkStart;
    this.offset += count;
    return this.#chunk.subarray(begin, begin + count);
  }

  skip(count: number, what: string): void {
    if (count > this.fileBytes - this.offset) {
      this.fail(`the file ends inside ${what} (${count} bytes needed, ${this.fileBytes - this.offset} left)`);
    }
    this.offset += count;
  }

  u32(what: string): number {
    return this.take(4, what).readUInt32LE();
  }

  /** A count or offset; beyond 2^53 it cannot be one. */
  u64(what: string): number {
    const start = this.offset;
    const value = this.take(8, what).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) this.fail(`${what} is ${value}, which is impossible`, start);
    return Number(value);
  }

  string(what: string, maxBytes: number): string {
    const start = this.offset;
    const length = this.u64(`the length of ${what}`);
    if (length > maxBytes) this.fail(`${what} claims ${length} bytes (at most ${maxBytes})`, start);
    return this.take(length, what).toString('utf8');
  }

  #fill(count: number): void {
    const size = Math.min(Math.max(count, chunkBytes), this.fileBytes - this.offset);
    this.#chunk = Buffer.alloc(size);
    this.#chunkStart = this.offset;
    let done = 0;
    while (done < size) {
      const read = readSync(this.#descriptor, this.#chunk, done, size - done, this.offset + done);
      if (read === 0) this.fail('the file shrank while it was read');
      done += read;
    }
  }
}
