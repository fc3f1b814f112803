import type { Command } from 'commander';
import type { ModelInfo } from '../../../shared/contract/models.ts';
import type { CommandContext, RunAction } from '../context.ts';
import {
  addWorkspaceOptions,
  type JsonOption,
  jsonOption,
  type WorkspaceOption,
  wholeNumber,
} from '../options.ts';
import { resolvePath } from '../resolve-path.ts';
import { type Session, withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';
import { findWorkspace } from '../workspace-folder.ts';
import { addModelPullCommand } from './model-pull.ts';

interface InspectOptions extends JsonOption {
  readonly context?: number;
}

const megabytes = (bytes: number | null) => (bytes === null ? '–' : `${(bytes / 1e6).toFixed(1)} MB`);
const millions = (count: number | null) => (count === null ? '–' : `${(count / 1e6).toFixed(1)} M`);

function describeMemory({ memoryEstimateBytes, memory }: ModelInfo): string {
  if (memory === undefined) return megabytes(memoryEstimateBytes);
  const { contextTokens, weightsBytes, cacheBytes, workBytes, availableBytes } = memory;
  const parts = `weights ${megabytes(weightsBytes)}, ${contextTokens} tokens of context ${megabytes(cacheBytes)}, computing ${megabytes(workBytes)}`;
  return `${megabytes(memoryEstimateBytes)} (${parts}); ${megabytes(availableBytes)} are free`;
}

function formatModel(model: ModelInfo): string {
  const rows = [
    ['file', model.path],
    ['name', model.name],
    ['architecture', model.architecture],
    ['parameters', millions(model.parameters)],
    ['quantisation', model.quantization ?? '–'],
    ['context', model.contextLength === null ? '–' : `${model.contextLength} tokens`],
    ['size', megabytes(model.sizeBytes)],
    ['memory, estimated', describeMemory(model)],
    ['SHA-256', model.sha256 ?? '–'],
    [
      'as a coach it',
      model.mode === 'rank' ? 'ranks enumerated valid edits' : 'writes edits under a grammar',
    ],
  ];
  return formatTable(['', ''], rows).split('\n').slice(2).join('\n');
}

function list(options: WorkspaceOption, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openReader(findWorkspace(options.workspace)), async ({ client }) => {
    const models = await client.models.list({});
    const rows = models.map(({ path, sizeBytes }) => [path, megabytes(sizeBytes)]);
    output.answer(models, () =>
      rows.length === 0
        ? 'No .gguf files in this workspace; put one under models/.'
        : formatTable(['model', 'size'], rows),
    );
  });
}

function inspect(
  file: string,
  { context }: InspectOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const asked = context === undefined ? {} : { contextTokens: context };
    const model = await client.models.inspect({ path: resolvePath(file), ...asked });
    output.answer(model, () => formatModel(model));
  });
}

function test(
  file: string,
  prompt: string | undefined,
  { output, sessions, signal }: CommandContext,
): Promise<void> {
  const work = async ({ client }: Session): Promise<void> => {
    const result = await client.models.test({
      path: resolvePath(file),
      ...(prompt === undefined ? {} : { prompt }),
    });
    const tokensPerSecond = result.outputTokens / Math.max(1e-3, result.generateMs / 1000);
    output.answer(result, () =>
      [
        formatModel(result.model),
        '',
        `loaded in ${(result.loadMs / 1000).toFixed(2)} s; ${result.outputTokens} tokens in ${(result.generateMs / 1000).toFixed(2)} s (${tokensPerSecond.toFixed(1)} tokens/s)`,
        `it wrote: ${result.output.trim()}`,
      ].join('\n'),
    );
  };
  return withSession(sessions.openTools(), work, signal);
}

export function addModelCommands(program: Command, run: RunAction): void {
  const model = program.command('model').description('local language models (GGUF files)');
  addWorkspaceOptions(model.command('list').description('GGUF files of the workspace')).action(
    (options: WorkspaceOption) => run(options, (context) => list(options, context)),
  );
  model
    .command('inspect')
    .description('what the file says of itself, without loading it')
    .argument('<file>', 'GGUF file')
    .option('--context <tokens>', 'the context that memory is estimated for', wholeNumber(256))
    .addOption(jsonOption())
    .action((file: string, options: InspectOptions) =>
      run(options, (context) => inspect(file, options, context)),
    );
  model
    .command('test')
    .description('load it and let it continue a text: does it run here, and how fast')
    .argument('<file>', 'GGUF file')
    .option('--prompt <text>', 'the text to continue')
    .addOption(jsonOption())
    .action((file: string, options: JsonOption & { readonly prompt?: string }) =>
      run(options, (context) => test(file, options.prompt, context)),
    );
  addModelPullCommand(model, run);
}
