import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { PullProgress } from '../../../engine/rpc/model-download.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { asTyped } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { addWorkspaceOptions, type WorkspaceOption, wholeNumber } from '../options.ts';
import { resolvePath } from '../resolve-path.ts';
import { findWorkspace } from '../workspace-folder.ts';

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

/** The name at the end of the address, under the workspace's `models/`. */
function placeFor(url: string, options: PullOptions): string {
  if (options.out !== undefined) return resolvePath(options.out);
  const name = basename(URL.parse(url)?.pathname ?? '');
  if (!/^[\w.-]+\.gguf$/i.test(name))
    throw new AppError(
      'input.invalid',
      'the address does not end with a name like model.gguf; give one with --out FILE',
    );
  return join(findWorkspace(options.workspace), 'models', name);
}

async function pull(url: string, options: PullOptions, { output, signal }: CommandContext): Promise<void> {
  const path = placeFor(url, options);
  mkdirSync(dirname(path), { recursive: true });
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
      .option('--out <file>', 'where it goes (default: models/ of the workspace)'),
  ).action((url: string, options: PullOptions) => run(options, (context) => pull(url, options, context)));
}
