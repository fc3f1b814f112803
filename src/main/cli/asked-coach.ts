import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type AskedCoach, namedProviders } from '../../shared/contract/coach-asked.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { resolvePath } from './resolve-path.ts';

/** Options that say which coach is asked. */
export interface AskedOptions {
  readonly provider?: AskedCoach['provider'];
  readonly model?: string;
  readonly prompt?: string;
  readonly experiment?: string;
  readonly arm?: string;
}

/** `--provider` with `--model` and `--prompt`, or `--experiment` with `--arm`. */
export function addAskedOptions(command: Command, who: string): Command {
  return command
    .addOption(new Option('--provider <name>', `${who} (default: "rules")`).choices(namedProviders))
    .option('--model <file>', 'GGUF file, for llama; ranker-HASH.json, for learned')
    .option('--prompt <file>', 'prompt file (default: the shipped one)')
    .addOption(
      new Option('--experiment <file>', 'the coach of this experiment, with all its settings').conflicts([
        'provider',
        'model',
        'prompt',
      ]),
    )
    .option('--arm <name>', 'arm of the experiment (default: the only one with a coach)');
}

/** Which of the options that name a file a provider takes. */
const files: Readonly<Record<string, readonly string[]>> = {
  llama: ['model', 'prompt'],
  learned: ['model'],
};

/** What a provider cannot do without. */
const needed: Readonly<Record<string, string>> = {
  llama: 'needs a model: name it with --model FILE.gguf',
  learned: 'needs a ranker: name what `gymwright coach learn` wrote with --model FILE',
};

/**
 * The arguments of a call; files with full paths. Throws: input.invalid for a file that the provider does not take, or cannot do
 * without; model.notFound, input.notFound where it is not there.
 */
export function askedCoach({ provider, model, prompt, experiment, arm }: AskedOptions): AskedCoach {
  const named = provider ?? 'rules';
  for (const [option, file] of Object.entries({ model, prompt })) {
    if (file === undefined || files[named]?.includes(option)) continue;
    throw new AppError(
      'input.invalid',
      `--${option} is nothing to ${named}, which ${named === 'learned' ? 'has no prompt' : 'asks no model'}; with a model: --provider llama`,
    );
  }
  if (model === undefined && needed[named] !== undefined && experiment === undefined)
    throw new AppError('input.invalid', `provider ${named} ${needed[named]}`);
  for (const [what, file] of Object.entries({ model, prompt })) {
    if (file === undefined || existsSync(file)) continue;
    const code = what === 'model' && named === 'llama' ? 'model.notFound' : 'input.notFound';
    throw new AppError(code, `there is no file ${resolvePath(file)}, named with --${what}`, {
      data: { path: file },
    });
  }
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model: resolvePath(model) }),
    ...(prompt !== undefined && { prompt: resolvePath(prompt) }),
    ...(experiment !== undefined && { experiment: resolvePath(experiment) }),
    ...(arm !== undefined && { arm }),
  };
}
