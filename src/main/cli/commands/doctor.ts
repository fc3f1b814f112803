import type { Command } from 'commander';
import { findPackageFolder } from '../../package-folder.ts';
import { asTyped } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import type { Finding } from '../doctor/check.ts';
import {
  checkBundles,
  checkCores,
  checkDisplay,
  checkElectron,
  checkModels,
  checkNode,
  checkWorkspace,
} from '../doctor/machine.ts';
import { checkNativeParts } from '../doctor/native-parts.ts';
import type { ExitCode } from '../exit-codes.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { findWorkspace } from '../workspace-folder.ts';

const marks: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok     ',
  limited: 'limited',
  missing: 'MISSING',
};

function formatFinding({ name, state, detail, advice }: Finding): string {
  const line = `${marks[state]}  ${name.padEnd(16)} ${detail}`;
  return advice === null ? line : `${line}\n${' '.repeat(26)}-> ${advice}`;
}

async function examine(options: WorkspaceOption, { output }: CommandContext): Promise<ExitCode> {
  const folder = findPackageFolder();
  const root = findWorkspace(options.workspace);
  const findings = [
    checkNode(),
    checkCores(),
    ...(await checkNativeParts(folder)),
    checkElectron(folder),
    checkDisplay(),
    checkBundles(folder),
    ...checkWorkspace(root),
    checkModels(root),
  ];
  output.answer(
    findings.map((finding) => ({ event: 'check', ...finding })),
    () => asTyped(findings.map(formatFinding).join('\n')),
  );
  return findings.some(({ state }) => state === 'missing') ? 1 : 0;
}

export function addDoctorCommand(program: Command, run: RunAction): void {
  addWorkspaceOptions(
    program.command('doctor').description('what of this machine works, and what to do about the rest'),
  ).action((options: WorkspaceOption) => run(options, (context) => examine(options, context)));
}
