/** All there is to know of a stream; survives JSON. */
export interface RngState {
  /** Unsigned 64-bit integer in decimal. */
  readonly seed: string;
  readonly stream: number;
  readonly position: number;
}

/**
 * Counter-based random numbers: the n-th word of a stream is a pure function of (seed, stream, n), so a stream is
 * resumed by its counter alone and two streams never touch.
 *
 * Source: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
 * The key is the 64-bit seed; the 128-bit counter is (block, block >> 32, stream, stream >> 32).
 */
export class CounterRng {
  readonly #key: readonly [number, number];
  readonly #stream: readonly [number, number];
  readonly #block = new Uint32Array(4);
  #position = 0;

  /** Seeds: any 64-bit integer and any non-negative stream number below 2^53. */
  constructor(seed: bigint, stream: number) {
    if (!Number.isSafeInteger(stream) || stream < 0) {
      throw new RangeError(`rng stream must be a non-negative safe integer, got ${stream}`);
    }
    this.#key = [Number(BigInt.asUintN(32, seed)), Number(BigInt.asUintN(32, seed >> 32n))];
    this.#stream = [stream >>> 0, Math.floor(stream / 2 ** 32)];
  }

  /** A stream taken up where `state` was read. */
  static from({ seed, stream, position }: RngState): CounterRng {
    const rng = new CounterRng(BigInt(seed), stream);
    rng.position = position;
    return rng;
  }

  get state(): RngState {
    const [low, high] = this.#key;
    const seed = (BigInt(high) << 32n) | BigInt(low);
    const stream = this.#stream[1] * 2 ** 32 + this.#stream[0];
    return { seed: seed.toString(), stream, position: this.#position };
  }

  /** Words drawn so far; assigning it jumps there. */
  get position(): number {
    return this.#position;
  }

  set position(position: number) {
    if (!Number.isSafeInteger(position) || position < 0) {
      throw new RangeError(`rng position must be a non-negative safe integer, got ${position}`);
    }
    this.#position = position;
    if (position % 4 !== 0) this.#fillBlock(Math.floor(position / 4));
  }

  /** Uniform over 0 .. 2^32 - 1. */
  nextUint32(): number {
    const lane = this.#position % 4;
    if (lane === 0) this.#fillBlock(this.#position / 4);
    this.#position++;
    return this.#block[lane] as number;
  }

  /** Uniform over [0, 1) in steps of 2^-32. */
  nextFloat(): number {
    return this.nextUint32() * 2 ** -32;
  }

  /** Uniform over 0 .. bound - 1, by multiply and shift. Bias below bound / 2^32. */
  nextBelow(bound: number): number {
    return Math.floor(this.nextFloat() * bound);
  }

  /** Standard normal, by Box and Muller; draws two words. */
  nextNormal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.nextFloat()));
    return radius * Math.cos(2 * Math.PI * this.nextFloat());
  }

  #fillBlock(index: number): void {
    philox(this.#block, index >>> 0, Math.floor(index / 2 ** 32), this.#stream, this.#key);
  }
}

/** One block by its counter and key: for draws that are named by more than a stream and a position. */
export function philoxBlock(
  [c0, c1, c2, c3]: readonly [number, number, number, number],
  key: bigint,
): readonly [number, number, number, number] {
  const out = new Uint32Array(4);
  philox(out, c0, c1, [c2, c3], [Number(BigInt.asUintN(32, key)), Number(BigInt.asUintN(32, key >> 32n))]);
  return [out[0] as number, out[1] as number, out[2] as number, out[3] as number];
}

/** Ten rounds on one counter; writes four words. */
function philox(
  out: Uint32Array,
  low: number,
  high: number,
  stream: readonly [number, number],
  key: readonly [number, number],
): void {
  let [k0, k1] = key;
  let c0 = low;
  let c1 = high;
  let [c2, c3] = stream;
  for (let round = 0; round < 10; round++) {
    const low0 = Math.imul(0xd2511f53, c0) >>> 0;
    const high0 = multiplyHigh(0xd2511f53, c0, low0);
    const low1 = Math.imul(0xcd9e8d57, c2) >>> 0;
    const high1 = multiplyHigh(0xcd9e8d57, c2, low1);
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + 0x9e3779b9) | 0;
    k1 = (k1 + 0xbb67ae85) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/**
 * Upper 32 bits of the product of two unsigned 32-bit numbers, given its lower 32. The double product is off by at most
 * 2^10, so what remains without the lower bits is within 2^-21 of the whole number wanted.
 */
function multiplyHigh(a: number, b: number, low: number): number {
  return ((a * b - low) * 2 ** -32 + 0.5) >>> 0;
}
