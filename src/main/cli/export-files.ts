import { sha256 } from '../../engine/files/index.ts';
import type { ExportExample, ExportManifest, ExportSummary } from '../../shared/contract/coach-export.ts';

export const exportNames = { train: 'train.jsonl', test: 'test.jsonl', manifest: 'manifest.json' } as const;

export interface ExportTexts {
  readonly train: string;
  readonly test: string;
  readonly manifest: string;
}

/** An export as the texts of its files: one JSON object a line, and the manifest with their hashes. */
export function layOutExport(
  train: readonly ExportExample[],
  test: readonly ExportExample[],
  summary: ExportSummary,
): ExportTexts {
  const texts = { train: toLines(train), test: toLines(test) };
  const files = {
    train: { name: exportNames.train, examples: train.length, sha256: sha256(texts.train) },
    test: { name: exportNames.test, examples: test.length, sha256: sha256(texts.test) },
  };
  const manifest: ExportManifest = { version: 1, ...summary, files };
  return { ...texts, manifest: `${JSON.stringify(manifest, null, 2)}\n` };
}

function toLines(examples: readonly ExportExample[]): string {
  return examples.map((example) => `${JSON.stringify(example)}\n`).join('');
}
