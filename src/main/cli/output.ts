import type { AppError } from '../../shared/std/app-error.ts';
import { printable } from '../../shared/std/printable.ts';
import { asTyped } from './command-name.ts';

/** One NDJSON line; typed arrays become plain arrays. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    ArrayBuffer.isView(item) && !(item instanceof DataView) ? Array.from(item as Float64Array) : item,
  );
}

export interface OutputStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

/** Where a command's answers, notes and errors go. With `--json` stdout holds NDJSON and nothing else. */
export class Output {
  readonly isJson: boolean;
  readonly streams: OutputStreams;

  constructor(isJson: boolean, streams: OutputStreams = process) {
    this.isJson = isJson;
    this.streams = streams;
  }

  /** The answer: `text` for people, `value` (one line each, for an array) for scripts. */
  answer(value: unknown, text: () => string): void {
    if (!this.isJson) this.print(text());
    else for (const each of Array.isArray(value) ? value : [value]) this.json(each);
  }

  /** For people: control characters in what others wrote are spelled out. */
  print(text: string): void {
    this.raw(printable(text));
  }

  /** A text as it is, for files that are made of it. */
  raw(text: string): void {
    this.streams.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }

  json(value: unknown): void {
    this.streams.stdout.write(`${toJsonLine(value)}\n`);
  }

  /** For people only, on stderr, with commands as they are called here. */
  note(text: string): void {
    this.streams.stderr.write(`${printable(asTyped(text))}\n`);
  }

  error(error: AppError): void {
    this.note(`gymwright: ${error.message}`);
    if (this.isJson) this.json({ event: 'error', ...error.toPayload() });
  }
}
