import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../shared/std/app-error.ts';
import { findResources, readUtf8, sha256 } from '../../files/index.ts';
import { type LabelledDefect, labelledDefectSchema, repairsOf } from './labelled-defect.ts';

export interface DefectSet {
  /** Those that some option repairs, by name. */
  readonly defects: readonly LabelledDefect[];
  /** SHA-256 over what was read. */
  readonly hash: string;
}

/** The labelled defects of this build, or of a folder. Throws: input.notFound, input.invalid for a file that is none, and where nothing can be repaired. */
export function readDefects(folder = labelsFolder()): DefectSet {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const texts = files.map((name) => readUtf8(join(folder, name), name));
  const all = texts.map((text, i) => parse(text, files[i] ?? ''));
  const defects = all.filter((defect) => repairsOf(defect).length > 0);
  if (defects.length === 0)
    throw new AppError(
      'input.invalid',
      `no defect in ${folder} has an option that repairs it: label them again with tools/label-defects.ts`,
    );
  return { defects, hash: sha256(texts.join('\n')) };
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

function labelsFolder(): string {
  const labels = join('defects', 'labels');
  const found = findResources(labels);
  if (found !== null) return join(found, labels);
  throw new AppError(
    'input.notFound',
    'the planted defects are missing: resources/defects is not beside this build',
  );
}
