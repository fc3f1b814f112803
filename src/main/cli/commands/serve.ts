import type { Command } from 'commander';
import type { CommandContext, RunAction } from '../context.ts';
import { addWorkspaceOptions, type WorkspaceOption, wholeNumber } from '../options.ts';
import { findExistingWorkspace, findWorkspace } from '../workspace-folder.ts';

interface ServeOptions extends WorkspaceOption {
  readonly port: number;
  readonly open?: true;
}

async function serveWorkbench(options: ServeOptions, { output, signal }: CommandContext): Promise<void> {
  // A folder that is named may become a workspace; the one that happens to be the current one does not.
  const root =
    options.workspace === undefined ? findExistingWorkspace(undefined) : findWorkspace(options.workspace);
  const { serve } = await import('../../serve/index.ts');
  const server = await serve({ root, port: options.port, openBrowser: options.open === true, signal });
  output.answer(
    { event: 'serving', url: server.url, port: server.port, root },
    () =>
      `The workbench of ${root} is at\n  ${server.url}\nThe address holds its token: whoever has it may use the workbench. Interrupt (Ctrl+C) to end.`,
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  output.note('closing …');
  await server.close();
}

export function addServeCommand(program: Command, run: RunAction): void {
  const command = program
    .command('serve')
    .description('the workbench for a browser, on a loopback address with a token')
    .option('--port <n>', 'port (0: any free one)', wholeNumber(0, 65_535), 0)
    .option('--open', "open the person's browser");
  addWorkspaceOptions(command).action((options: ServeOptions) =>
    run(options, (context) => serveWorkbench(options, context)),
  );
}
