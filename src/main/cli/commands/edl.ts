import type { Command } from 'commander';
import type { Diagnostic } from '../../../shared/contract/edl.ts';
import type { CommandContext, RunAction } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type JsonOption, jsonOption } from '../options.ts';
import { readText } from '../read-text.ts';
import { withSession } from '../sessions.ts';
import { writeOutputFile } from '../write-file.ts';

interface FormatOptions extends JsonOption {
  readonly write?: true;
  readonly check?: true;
}

/** "file:line:column: error EDL201: message", which editors and terminals turn into links. */
export function formatDiagnostic(
  file: string,
  { code, severity, message, range, suggestions }: Diagnostic,
): string {
  const { line, character } = range.start;
  const [best] = suggestions;
  const hint = best === undefined || message.includes(best) ? '' : ` (did you mean ${best}?)`;
  return `${file}:${line + 1}:${character + 1}: ${severity} ${code}: ${message}${hint}`;
}

function check(files: readonly string[], { output, sessions }: CommandContext): Promise<ExitCode> {
  return withSession(sessions.openTools(), async ({ client }) => {
    let numErrors = 0;
    for (const file of files) {
      const { diagnostics, environment } = await client.edl.check({ text: readText(file), path: file });
      numErrors += diagnostics.filter(({ severity }) => severity === 'error').length;
      output.answer({ file, diagnostics, environment }, () =>
        [
          ...diagnostics.map((each) => formatDiagnostic(file, each)),
          ...(environment === null
            ? []
            : [
                `${file}: ${environment.name} on ${environment.scenario}, ${environment.costPerStep} instructions a step, ${environment.identity.slice(0, 12)}`,
              ]),
        ].join('\n'),
      );
    }
    return numErrors === 0 ? 0 : 2;
  });
}

function format(
  files: readonly string[],
  options: FormatOptions,
  { output, sessions }: CommandContext,
): Promise<ExitCode> {
  return withSession(sessions.openTools(), async ({ client }) => {
    let numChanged = 0;
    for (const file of files) {
      const before = readText(file);
      const { text } = await client.edl.format({ text: before });
      if (text !== before) numChanged += 1;
      if (options.check === true)
        output.answer({ file, isFormatted: text === before }, () =>
          text === before ? '' : `${file}: not formatted`,
        );
      else if (options.write === true) {
        if (text !== before) writeOutputFile(file, text);
        output.answer({ file, isChanged: text !== before }, () =>
          text === before ? '' : `formatted ${file}`,
        );
      } else output.answer({ file, text }, () => text);
    }
    return options.check === true && numChanged > 0 ? 1 : 0;
  });
}

function explain(file: string, { output, sessions }: CommandContext): Promise<ExitCode> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const source = { text: readText(file), path: file };
    const { text } = await client.edl.explain(source);
    const { diagnostics } = await client.edl.check(source);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    output.answer({ file, text }, () =>
      [text, ...errors.map((each) => formatDiagnostic(file, each))].join('\n').trim(),
    );
    return errors.length > 0 ? 2 : 0;
  });
}

export function addEdlCommands(program: Command, run: RunAction): void {
  const edl = program
    .command('edl')
    .description('check, format and explain environment files; needs no workspace');
  edl
    .command('check')
    .description('diagnostics with codes and places; exit 2 when there are errors')
    .argument('<files...>', 'EDL files, or - for stdin')
    .addOption(jsonOption())
    .action((files: string[], options: JsonOption) => run(options, (context) => check(files, context)));
  edl
    .command('format')
    .description('the canonical layout, on stdout unless told otherwise')
    .argument('<files...>', 'EDL files, or - for stdin')
    .option('--write', 'rewrite the files')
    .option('--check', 'only say which files would change; exit 1 if any')
    .addOption(jsonOption())
    .action((files: string[], options: FormatOptions) =>
      run(options, (context) => format(files, options, context)),
    );
  edl
    .command('explain')
    .description(
      'plain words: what an environment changes, within which bounds, at which cost; exit 2 when it has errors',
    )
    .argument('<file>', 'EDL file, or - for stdin')
    .addOption(jsonOption())
    .action((file: string, options: JsonOption) => run(options, (context) => explain(file, context)));
}
