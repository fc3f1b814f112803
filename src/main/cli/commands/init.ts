import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { findPackageFolder } from '../../package-folder.ts';
import { commandName, commandReach, typedPath } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { type JsonOption, jsonOption } from '../options.ts';
import { resolvePath } from '../resolve-path.ts';

const contents: readonly (readonly [string, string])[] = [
  ['environments', 'EDL files: how an environment differs from its scenario'],
  ['experiments', 'what to train, in which arms, with which seeds'],
  ['prompts', 'what a coach is told'],
];

/** "3 written, 1 kept" of one folder. */
function describeFolder(written: readonly string[], kept: readonly string[]): string {
  const what = [
    written.length > 0 ? `${written.length} written` : '',
    kept.length > 0 ? `${kept.length} kept` : '',
  ];
  return what.filter((each) => each !== '').join(', ');
}

async function init(folder: string, { output }: CommandContext): Promise<void> {
  const { createSampleWorkspace } = await import('../../../engine/rpc/sample-workspace.ts');
  const root = resolvePath(folder);
  const before = new Set(contents.flatMap(([part]) => listFiles(root, part)));
  const written = createSampleWorkspace(root);
  const kept = [...before].filter((file) => !written.includes(file));
  const clone = findPackageFolder();
  const reach = commandReach(clone);
  output.answer({ event: 'workspace.created', root, written, kept }, () =>
    [
      written.length > 0
        ? `wrote ${written.length} ${written.length === 1 ? 'file' : 'files'} of the sample workspace to ${root}`
        : `nothing to write: the sample workspace is all there in ${root}`,
      ...contents.map(([part, meaning]) => {
        const within = (files: readonly string[]) => files.filter((file) => file.startsWith(`${part}/`));
        const state = describeFolder(within(written), within(kept));
        return `  ${`${part}/`.padEnd(14)}  ${meaning} (${state})`;
      }),
      ...(written.includes('.gitignore')
        ? ['  .gitignore      keeps results (.gymwright/) out of version control']
        : []),
      ...(kept.length > 0 ? [`kept as they were: ${kept.join(', ')}`] : []),
      `Try it: ${commandName()} run quickstart --workspace ${typedPath(root, reach === null ? process.cwd() : clone)}`,
      ...(reach === null ? [] : [reach]),
    ].join('\n'),
  );
}

function listFiles(root: string, part: string): string[] {
  const folder = path.join(root, part);
  return existsSync(folder) ? readdirSync(folder).map((name) => `${part}/${name}`) : [];
}

export function addInitCommand(program: Command, run: RunAction): void {
  program
    .command('init')
    .description('write a sample workspace into a folder; what is there is kept')
    .argument('<dir>', 'folder')
    .addOption(jsonOption())
    .action((folder: string, options: JsonOption) => run(options, (context) => init(folder, context)));
}
