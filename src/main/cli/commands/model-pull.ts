import { basename, dirname, join, sep } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { fileError, makeFolder } from '../../../engine/files/index.ts';
import type { PullProgress } from '../../../engine/rpc/model-download.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { asTyped } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { addWorkspaceOptions, type WorkspaceOption, wholeNumber } from '../options.ts';
import { resolvePath } from '../resolve-path.ts';
import { findWorkspace } from '../workspace-folder.ts';
import { requireFileName } from '../write-file.ts';

interface PullOptions extends WorkspaceOption {
  readonly sha256: string;
  readonly size?: number;
  readonly out?: string;
}

/** Progress is told at most so often. */
const tellEveryMs = 1000;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function readHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be 64 hexadecimal digits, as publishers of models give them.');
}

/**
 * The file that `--out` names, in `models/` of the workspace where it names none; a folder, which ends with a slash, keeps the name at
 * the end of the address. Throws: input.invalid for `-`, and where there is no name.
 */
function placeFor(url: string, { out, workspace }: PullOptions): string {
  if (out === undefined) return join(findWorkspace(workspace), 'models', nameIn(url));
  requireFileName(out);
  const isFolder = out.endsWith('/') || out.endsWith(sep);
  return isFolder ? join(resolvePath(out), nameIn(url)) : resolvePath(out);
}

function nameIn(url: string): string {
  const name = basename(URL.parse(url)?.pathname ?? '');
  if (!/^[\w.-]+\.gguf$/i.test(name))
    throw new AppError(
      'input.invalid',
      'the address does not end with a name like model.gguf; give one with --out FILE',
    );
  return name;
}

/** Throws: workspace.readOnly, workspace.diskFull, input.invalid where a file is in the way. */
function makeFolderOf(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder);
  } catch (thrown) {
    throw fileError(thrown, 'create', folder);
  }
}

async function pull(url: string, options: PullOptions, { output, signal }: CommandContext): Promise<void> {
  const path = placeFor(url, options);
  makeFolderOf(path);
  let toldAt: number | null = null;
  const onProgress = ({ doneBytes, totalBytes }: PullProgress): void => {
    const isFirst = toldAt === null;
    if (toldAt !== null && performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    const total = totalBytes === null ? 'a size that the server does not say' : megabytes(totalBytes);
    if (isFirst)
      output.note(`${path}: ${total}${doneBytes > 0 ? `, of which ${megabytes(doneBytes)} are there` : ''}`);
    else output.note(`${megabytes(doneBytes)} of ${total}`);
  };
  const request = { url, path, sha256: options.sha256, sizeBytes: options.size ?? null };
  const { pullModel } = await import('../../../engine/rpc/model-download.ts');
  const pulled = await pullModel(request, { signal, onProgress });
  output.answer(pulled, () =>
    pulled.receivedBytes === 0
      ? `${path} is there, and its SHA-256 is the one asked for`
      : asTyped(
          `${path}: ${megabytes(pulled.sizeBytes)}, SHA-256 as asked for; \`gymwright model test ${path}\` says how it runs here`,
        ),
  );
}

export function addModelPullCommand(model: Command, run: RunAction): void {
  addWorkspaceOptions(
    model
      .command('pull')
      .description('download a model file; it gets its name only once its SHA-256 is right')
      .argument('<url>', 'https address of a GGUF file')
      .requiredOption('--sha256 <hash>', "the file's SHA-256, from its publisher", readHash)
      .option('--size <bytes>', 'what its size has to be', wholeNumber(1))
      .option(
        '--out <file>',
        'where it goes; a folder, ending with a slash, keeps the name (default: models/ of the workspace)',
      ),
  ).action((url: string, options: PullOptions) => run(options, (context) => pull(url, options, context)));
}
