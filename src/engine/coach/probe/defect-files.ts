import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../shared/std/app-error.ts';
import { readUtf8, sha256 } from '../../files/index.ts';
import { type LabelledDefect, labelledDefectSchema, repairsOf } from './labelled-defect.ts';

export interface DefectSet {
  /** Those that some option repairs, by name. */
  readonly defects: readonly LabelledDefect[];
  /** SHA-256 over what was read. */
  readonly hash: string;
}

/** The labelled defects of this build, or of a folder. Throws: input.notFound, input.invalid for a file that is none. */
export function readDefects(folder = findLabels()): DefectSet {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const texts = files.map((name) => readUtf8(join(folder, name), name));
  const all = texts.map((text, i) => parse(text, files[i] ?? ''));
  return { defects: all.filter((defect) => repairsOf(defect).length > 0), hash: sha256(texts.join('\n')) };
}

function parse(text: string, name: string): LabelledDefect {
  try {
    return labelledDefectSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError(
      'input.invalid',
      `${name} is no labelled defect: label it again with tools/label-defects.ts`,
      {
        cause,
      },
    );
  }
}

/** `resources/defects/labels` of this build: searched upwards from this file, which lies in src or in the bundle. */
function findLabels(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'resources', 'defects', 'labels');
    if (existsSync(candidate)) return candidate;
    if (folder !== dirname(folder)) continue;
    throw new AppError(
      'input.notFound',
      'the planted defects are missing: resources/defects is not beside this build',
    );
  }
}
