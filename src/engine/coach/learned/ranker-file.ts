import { basename } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/std/app-error.ts';
import { jsonOrNull } from '../../../shared/std/parse-json.ts';
import { fileError, readUtf8, sha256 } from '../../files/index.ts';
import type { Features } from './edit-features.ts';
import { predict } from './logistic.ts';

const figures = z.array(z.number());

/** Before 2, features of the same names meant other figures. */
const version = 2;

const rankerSchema = z
  .strictObject({
    kind: z.literal('gymwright-ranker'),
    version: z.literal(version),
    /** Figures that count, in the order of the weights. */
    features: z.array(z.string()),
    logistic: z.strictObject({ bias: z.number(), weights: figures, means: figures, scales: figures }),
    trained: z.strictObject({ trials: z.int(), studies: z.array(z.string()) }),
  })
  .refine(
    ({ features, logistic }) =>
      [logistic.weights, logistic.means, logistic.scales].every(({ length }) => length === features.length),
    'every feature needs a weight, a mean and a scale',
  );

const otherVersion = z.looseObject({
  kind: z.literal('gymwright-ranker'),
  version: z.int().refine((found) => found !== version),
});

/** What trials of a workspace taught about which edits help. */
export type Ranker = z.infer<typeof rankerSchema>;

/** Characters of a hash in a file's name. */
const hashLength = 16;

/** The text of a ranker's file, and its name, which holds the hash of the text: an experiment that names it means this one. */
export function layOutRanker(ranker: Ranker): { readonly name: string; readonly text: string } {
  const text = `${JSON.stringify(ranker, null, 1)}\n`;
  return { name: `ranker-${sha256(text).slice(0, hashLength)}.json`, text };
}

/** Reads a ranker. Throws: input.notFound, input.invalid for one that was changed, is of another version, or is none. */
export function readRanker(path: string): { readonly ranker: Ranker; readonly name: string } {
  const text = readText(path);
  const name = basename(path);
  const claimed = /^ranker-([0-9a-f]+)\.json$/.exec(name)?.[1];
  if (claimed === undefined || claimed.length < hashLength || !sha256(text).startsWith(claimed)) {
    throw new AppError(
      'input.invalid',
      `${path} is not what its name says: a ranker is called ranker-HASH.json after its content. Write it again with \`gymwright coach learn\`.`,
    );
  }
  const parsed = jsonOrNull(text);
  const other = otherVersion.safeParse(parsed).data?.version;
  if (other !== undefined) {
    throw new AppError(
      'input.invalid',
      `${path} is a ranker of version ${other}, and this is for version ${version}: edits are described otherwise. Learn one with ` +
        '`gymwright coach learn` and name that; a study that began with this one can only go on with what it began with.',
    );
  }
  const { success, data, error } = rankerSchema.safeParse(parsed);
  if (success) return { ranker: data, name };
  const what = error.issues[0]?.message ?? 'unknown';
  throw new AppError(
    'input.invalid',
    `${path} is no ranker: ${what}. Write one with \`gymwright coach learn\`.`,
  );
}

/** The probability that an edit with these features does better than nothing. */
export function rate({ features, logistic }: Ranker, found: Features): number {
  return predict(
    logistic,
    features.map((name) => found[name] ?? 0),
  );
}

function readText(path: string): string {
  try {
    return readUtf8(path, path);
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new AppError(
        'input.notFound',
        `there is no ranker ${path}: \`gymwright coach learn\` writes one`,
      );
    }
    throw fileError(thrown, 'read', path);
  }
}
