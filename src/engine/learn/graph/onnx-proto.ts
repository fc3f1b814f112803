import protobuf from 'protobufjs/minimal.js';
import type { Attributes, AttributeValue, ElementType } from './node.ts';

/**
 * The few messages of onnx.proto3 that a model needs, written field by field.
 * Source: onnx/onnx.proto3, IR version 8 (field numbers behind each call).
 */
type Writer = protobuf.Writer;

const irVersion = 8;
/** Opset of every graph we write: old enough for runtimes of 2022, new enough for what is used. */
export const opsetVersion = 17;

const dataTypes = { f32: 1, i32: 6, i64: 7, f64: 11 } as const satisfies Record<ElementType | 'i64', number>;
type DataType = keyof typeof dataTypes;

export interface ProtoNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Attributes;
}

export interface ProtoTensor {
  readonly name: string;
  readonly type: DataType;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

export interface ProtoValue {
  readonly name: string;
  readonly type: DataType;
  /** A string is a symbolic dimension. */
  readonly shape: readonly (number | string)[];
}

export interface ProtoModel {
  readonly name: string;
  readonly nodes: readonly ProtoNode[];
  readonly initializers: readonly ProtoTensor[];
  readonly inputs: readonly ProtoValue[];
  readonly outputs: readonly ProtoValue[];
  readonly producer: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export function encodeModel(model: ProtoModel): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32(tag(1, varint)).int64(irVersion);
  writer.uint32(tag(2, bytes)).string(model.producer);
  message(writer, 7, (w) => writeGraph(w, model));
  message(writer, 8, (w) => w.uint32(tag(1, bytes)).string('').uint32(tag(2, varint)).int64(opsetVersion));
  for (const [key, value] of Object.entries(model.metadata)) {
    message(writer, 14, (w) => w.uint32(tag(1, bytes)).string(key).uint32(tag(2, bytes)).string(value));
  }
  return writer.finish();
}

function writeGraph(writer: Writer, model: ProtoModel): void {
  for (const node of model.nodes) message(writer, 1, (w) => writeNode(w, node));
  writer.uint32(tag(2, bytes)).string(model.name);
  for (const tensor of model.initializers) message(writer, 5, (w) => writeTensor(w, tensor));
  for (const value of model.inputs) message(writer, 11, (w) => writeValue(w, value));
  for (const value of model.outputs) message(writer, 12, (w) => writeValue(w, value));
}

function writeNode(writer: Writer, node: ProtoNode): void {
  for (const name of node.inputs) writer.uint32(tag(1, bytes)).string(name);
  for (const name of node.outputs) writer.uint32(tag(2, bytes)).string(name);
  writer.uint32(tag(4, bytes)).string(node.type);
  for (const [name, value] of Object.entries(node.attributes)) {
    message(writer, 5, (w) => writeAttribute(w, name, value));
  }
}

/** Integers, lists of integers, floats; a string names an element type (the `to` of Cast). */
function writeAttribute(writer: Writer, name: string, value: AttributeValue): void {
  writer.uint32(tag(1, bytes)).string(name);
  if (Array.isArray(value)) {
    for (const item of value) writer.uint32(tag(8, varint)).int64(item);
    writer.uint32(tag(20, varint)).int32(7);
    return;
  }
  if (typeof value === 'object' && 'float' in value) {
    writer.uint32(tag(2, fixed32)).float(value.float).uint32(tag(20, varint)).int32(1);
    return;
  }
  const integer = typeof value === 'string' ? dataTypes[value as DataType] : Number(value);
  if (!Number.isInteger(integer)) throw new TypeError(`attribute ${name}=${value} is not an integer`);
  writer.uint32(tag(3, varint)).int64(integer).uint32(tag(20, varint)).int32(2);
}

function writeTensor(writer: Writer, tensor: ProtoTensor): void {
  for (const dimension of tensor.shape) writer.uint32(tag(1, varint)).int64(dimension);
  writer.uint32(tag(2, varint)).int32(dataTypes[tensor.type]);
  writer.uint32(tag(8, bytes)).string(tensor.name);
  writer.uint32(tag(9, bytes)).bytes(rawData(tensor));
}

function writeValue(writer: Writer, value: ProtoValue): void {
  writer.uint32(tag(1, bytes)).string(value.name);
  message(writer, 2, (type) =>
    message(type, 1, (tensor) => {
      tensor.uint32(tag(1, varint)).int32(dataTypes[value.type]);
      message(tensor, 2, (shape) => {
        for (const dimension of value.shape) {
          message(shape, 1, (w) =>
            typeof dimension === 'string'
              ? w.uint32(tag(2, bytes)).string(dimension)
              : w.uint32(tag(1, varint)).int64(dimension),
          );
        }
      });
    }),
  );
}

/** Little-endian values, whatever the machine. */
function rawData({ type, values }: ProtoTensor): Uint8Array {
  const width = type === 'f32' || type === 'i32' ? 4 : 8;
  const view = new DataView(new ArrayBuffer(values.length * width));
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (type === 'f32') view.setFloat32(i * 4, value, true);
    else if (type === 'f64') view.setFloat64(i * 8, value, true);
    else if (type === 'i32') view.setInt32(i * 4, value, true);
    else view.setBigInt64(i * 8, BigInt(value), true);
  }
  return new Uint8Array(view.buffer);
}

const varint = 0;
const bytes = 2;
const fixed32 = 5;

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}

function message(writer: Writer, field: number, write: (writer: Writer) => unknown): void {
  writer.uint32(tag(field, bytes)).fork();
  write(writer);
  writer.ldelim();
}
