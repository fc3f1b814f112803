import { writeFileSync } from 'node:fs';

/** Shape of the generated model; the defaults give a file of about 0.5 MB. */
export interface TinyGgufOptions {
  readonly seed?: number;
  readonly contextLength?: number;
  readonly embedding?: number;
  readonly layers?: number;
}

const alignment = 32;
const valueType = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const tokenType = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;

/** Little-endian writer that grows as needed. */
class ByteWriter {
  readonly #parts: Buffer[] = [];
  length = 0;

  bytes(part: Buffer): this {
    this.#parts.push(part);
    this.length += part.length;
    return this;
  }

  u32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    return this.bytes(part);
  }

  u64(value: number): this {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    return this.bytes(part);
  }

  string(text: string): this {
    const utf8 = Buffer.from(text, 'utf8');
    return this.u64(utf8.length).bytes(utf8);
  }

  pad(): this {
    return this.bytes(Buffer.alloc((alignment - (this.length % alignment)) % alignment));
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

type Metadata = readonly [key: string, write: (out: ByteWriter) => void];

const u32 = (key: string, value: number): Metadata => [key, (out) => out.u32(valueType.u32).u32(value)];
const text = (key: string, value: string): Metadata => [
  key,
  (out) => out.u32(valueType.string).string(value),
];
const f32 = (key: string, value: number): Metadata => [
  key,
  (out) => out.u32(valueType.f32).bytes(Buffer.from(Float32Array.of(value).buffer)),
];
const flag = (key: string, value: boolean): Metadata => [
  key,
  (out) => out.u32(valueType.bool).bytes(Buffer.from([value ? 1 : 0])),
];
const numbers = (key: string, type: number, values: Float32Array | Int32Array): Metadata => [
  key,
  (out) => out.u32(valueType.array).u32(type).u64(values.length).bytes(Buffer.from(values.buffer)),
];
const strings = (key: string, values: readonly string[]): Metadata => [
  key,
  (out) => {
    out.u32(valueType.array).u32(valueType.string).u64(values.length);
    for (const value of values) out.string(value);
  },
];

/** Small multiplicative generator (Park and Miller), enough for weights of a model that knows nothing. */
function createUniform(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

function typeOf(index: number, numTokens: number): number {
  if (index === 0) return tokenType.unknown;
  if (index < 3) return tokenType.control;
  return index === numTokens - 1 ? tokenType.normal : tokenType.byte;
}

interface TensorShape {
  readonly name: string;
  readonly shape: readonly number[];
}

/** Header and random weights; norms are ones. */
function assemble(metadata: readonly Metadata[], tensors: readonly TensorShape[], seed: number): Buffer {
  const out = new ByteWriter();
  out.bytes(Buffer.from('GGUF')).u32(3).u64(tensors.length).u64(metadata.length);
  for (const [key, write] of metadata) {
    out.string(key);
    write(out);
  }
  let offset = 0;
  for (const { name, shape } of tensors) {
    out.string(name).u32(shape.length);
    for (const size of shape) out.u64(size);
    out.u32(0).u64(offset);
    offset += Math.ceil((shape.reduce((a, b) => a * b) * 4) / alignment) * alignment;
  }
  out.pad();
  const uniform = createUniform(seed);
  for (const { name, shape } of tensors) {
    const count = shape.reduce((a, b) => a * b);
    const isNorm = name.includes('norm');
    const scale = Math.sqrt(3 / (shape[0] as number));
    const weights = Float32Array.from({ length: count }, () => (isNorm ? 1 : (uniform() * 2 - 1) * scale));
    out.bytes(Buffer.from(weights.buffer)).pad();
  }
  return out.toBuffer();
}

/**
 * A llama-architecture GGUF with random F32 weights and one token per byte: it says nothing sensible, and it is a
 * real model to llama.cpp, so loading, grammars, probabilities and limits are tested on the path that users take.
 */
export function tinyGguf(options: TinyGgufOptions = {}): Buffer {
  const { seed = 1, contextLength = 512, embedding = 64, layers = 2 } = options;
  const heads = 2;
  const feedForward = embedding * 2;
  const tokens = ['<unk>', '<s>', '</s>'];
  for (let byte = 0; byte < 256; byte++)
    tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  tokens.push('\u2581');
  const types = Int32Array.from(tokens, (_, index) => typeOf(index, tokens.length));
  // SentencePiece writes a blank as U+2581; without this token blanks would not survive a round trip.

  const metadata: Metadata[] = [
    text('general.architecture', 'llama'),
    text('general.name', 'tiny random bytes'),
    u32('general.file_type', 0),
    u32('llama.context_length', contextLength),
    u32('llama.embedding_length', embedding),
    u32('llama.block_count', layers),
    u32('llama.feed_forward_length', feedForward),
    u32('llama.attention.head_count', heads),
    u32('llama.attention.head_count_kv', heads),
    f32('llama.attention.layer_norm_rms_epsilon', 1e-5),
    u32('llama.rope.dimension_count', embedding / heads),
    u32('llama.vocab_size', tokens.length),
    text('tokenizer.ggml.model', 'llama'),
    strings('tokenizer.ggml.tokens', tokens),
    numbers('tokenizer.ggml.scores', valueType.f32, new Float32Array(tokens.length)),
    numbers('tokenizer.ggml.token_type', valueType.i32, types),
    flag('tokenizer.ggml.add_space_prefix', false),
    u32('tokenizer.ggml.unknown_token_id', 0),
    u32('tokenizer.ggml.bos_token_id', 1),
    u32('tokenizer.ggml.eos_token_id', 2),
  ];

  const tensors: { name: string; shape: number[] }[] = [
    { name: 'token_embd.weight', shape: [embedding, tokens.length] },
  ];
  for (let layer = 0; layer < layers; layer++) {
    const square = [embedding, embedding];
    tensors.push(
      { name: `blk.${layer}.attn_norm.weight`, shape: [embedding] },
      { name: `blk.${layer}.attn_q.weight`, shape: square },
      { name: `blk.${layer}.attn_k.weight`, shape: square },
      { name: `blk.${layer}.attn_v.weight`, shape: square },
      { name: `blk.${layer}.attn_output.weight`, shape: square },
      { name: `blk.${layer}.ffn_norm.weight`, shape: [embedding] },
      { name: `blk.${layer}.ffn_gate.weight`, shape: [embedding, feedForward] },
      { name: `blk.${layer}.ffn_up.weight`, shape: [embedding, feedForward] },
      { name: `blk.${layer}.ffn_down.weight`, shape: [feedForward, embedding] },
    );
  }
  tensors.push(
    { name: 'output_norm.weight', shape: [embedding] },
    { name: 'output.weight', shape: [embedding, tokens.length] },
  );

  return assemble(metadata, tensors, seed);
}

export function writeTinyGguf(path: string, options: TinyGgufOptions = {}): string {
  writeFileSync(path, tinyGguf(options));
  return path;
}

/** Shape of a generated LoRA adapter; the defaults fit the model that the defaults above give. */
export interface TinyAdapterOptions {
  readonly seed?: number;
  readonly embedding?: number;
  readonly layers?: number;
  readonly architecture?: string;
  readonly kind?: string;
  /** Beside the usual pairs. */
  readonly tensors?: readonly TensorShape[];
}

/** A LoRA adapter of rank 4 for the queries and the output of every layer. */
export function writeTinyAdapter(path: string, options: TinyAdapterOptions = {}): string {
  const {
    seed = 9,
    embedding = 64,
    layers = 2,
    architecture = 'llama',
    kind = 'lora',
    tensors = [],
  } = options;
  const rank = 4;
  const metadata = [
    text('general.type', 'adapter'),
    text('general.architecture', architecture),
    text('adapter.type', kind),
    f32('adapter.lora.alpha', 16),
  ];
  const pairs = Array.from({ length: layers }, (_, layer) =>
    ['attn_q', 'attn_output'].map((part) => `blk.${layer}.${part}.weight`),
  );
  const factors = pairs.flat().flatMap((name) => [
    { name: `${name}.lora_a`, shape: [embedding, rank] },
    { name: `${name}.lora_b`, shape: [rank, embedding] },
  ]);
  writeFileSync(path, assemble(metadata, [...factors, ...tensors], seed));
  return path;
}
