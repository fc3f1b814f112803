import { type Command, Option } from 'commander';
import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { asTyped } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { type JsonOption, jsonOption, wholeNumber } from '../options.ts';
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
  const best = suggestions[0]?.trim();
  const hint = best === undefined || message.includes(best) ? '' : ` (did you mean ${best}?)`;
  return `${file}:${line + 1}:${character + 1}: ${severity} ${code}: ${message}${hint}`;
}

/** Checks every file that can be read, and tells of those that cannot. */
function check(files: readonly string[], { output, sessions }: CommandContext): Promise<ExitCode> {
  return withSession(sessions.openTools(), ({ client }) =>
    forEachFile(files, output, async (file) => {
      const { diagnostics, environment } = await client.edl.check({ text: readText(file), path: file });
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
      return diagnostics.some(({ severity }) => severity === 'error') ? 2 : 0;
    }),
  );
}

/** Does something with each file; one that fails is told of and does not keep the others from it. The worst code counts. */
async function forEachFile(
  files: readonly string[],
  output: CommandContext['output'],
  visit: (file: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  let worst: ExitCode = 0;
  for (const file of files) {
    const code = await visit(file).catch((thrown: unknown) => {
      const error = AppError.from(thrown);
      if (error.code === 'internal') throw error;
      output.error(error);
      return exitCodeOf(error.code);
    });
    if (code > worst) worst = code;
  }
  return worst;
}

function format(
  files: readonly string[],
  options: FormatOptions,
  { output, sessions }: CommandContext,
): Promise<ExitCode> {
  return withSession(sessions.openTools(), ({ client }) =>
    forEachFile(files, output, async (file) => {
      const before = readText(file);
      const { text } = await client.edl.format({ text: before }).catch((thrown: unknown) => {
        throw named(file, thrown);
      });
      const isFormatted = text === before;
      if (options.check === true)
        output.answer({ file, isFormatted }, () => (isFormatted ? '' : `${file}: not formatted`));
      else if (options.write === true) {
        if (!isFormatted) writeOutputFile(file, text);
        output.answer({ file, isChanged: !isFormatted }, () => (isFormatted ? '' : `formatted ${file}`));
      } else if (output.isJson) output.json({ file, text });
      else output.raw(text);
      return options.check === true && !isFormatted ? 1 : 0;
    }),
  );
}

/** What is wrong with a text, with the name of its file. */
function named(file: string, thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'edl.invalid') return thrown;
  const message = thrown.message.replace('the EDL text', file).replace('check FILE', `check ${file}`);
  return new AppError(thrown.code, message, { data: thrown.data, cause: thrown });
}

function explain(file: string, { output, sessions }: CommandContext): Promise<ExitCode> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const source = { text: readText(file), path: file };
    const { text } = await client.edl.explain(source);
    const { diagnostics } = await client.edl.check(source);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    output.answer({ file, text }, () =>
      [asTyped(text), ...errors.map((each) => formatDiagnostic(file, each))].join('\n').trim(),
    );
    return errors.length > 0 ? 2 : 0;
  });
}

function flatten(file: string, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const source = { text: readText(file), path: file };
    const { text } = await client.edl.flatten(source).catch((thrown: unknown) => {
      throw named(file, thrown);
    });
    output.answer({ file, text }, () => text.trimEnd());
  });
}

interface SchemaOptions extends JsonOption {
  readonly ir?: true;
  readonly proposal?: true;
}

function schema({ proposal }: SchemaOptions, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const answer = await client.edl.schema({ of: proposal === true ? 'proposal' : 'ir' });
    output.answer(answer.schema, () => JSON.stringify(answer.schema, null, 2));
  });
}

interface GrammarOptions extends JsonOption {
  readonly shape?: 'declaration' | 'list' | 'proposal';
  readonly count?: number;
  readonly kinds?: string;
  readonly names?: string;
  readonly targets?: string;
  readonly coach?: true;
  readonly examples?: number;
  readonly seed?: number;
}

const listOf = (text: string | undefined): string[] | undefined =>
  text?.split(',').map((part) => part.trim());

function grammar(
  scenario: string,
  options: GrammarOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const { shape, count, kinds, names, targets, coach, examples, seed } = options;
    const answer = await client.edl.grammar({
      scenario,
      shape,
      count,
      kinds: listOf(kinds),
      names: listOf(names),
      targets: listOf(targets),
      author: coach === true ? 'coach' : 'person',
      examples,
      seed,
    });
    output.answer({ scenario, ...answer }, () =>
      examples === undefined || examples === 0 ? answer.grammar.trimEnd() : answer.examples.join('\n\n'),
    );
  });
}

export function addEdlCommands(program: Command, run: RunAction): void {
  const edl = program
    .command('edl')
    .description(
      'check, format and explain environment files, and what a model may write of them; needs no workspace',
    );
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
  edl
    .command('flatten')
    .description('the text with all the files it extends, as one that needs no other')
    .argument('<file>', 'EDL file, or - for stdin')
    .addOption(jsonOption())
    .action((file: string, options: JsonOption) => run(options, (context) => flatten(file, context)));
  addSchemaCommand(edl, run);
  addGrammarCommand(edl, run);
}

function addSchemaCommand(edl: Command, run: RunAction): void {
  edl
    .command('schema')
    .description('the JSON schema of the canonical form of environments, or of proposals')
    .option('--ir', 'the canonical form (default)')
    .addOption(new Option('--proposal', 'what a coach answers').conflicts('ir'))
    .addOption(jsonOption())
    .action((options: SchemaOptions) => run(options, (context) => schema(options, context)));
}

function addGrammarCommand(edl: Command, run: RunAction): void {
  edl
    .command('grammar')
    .description('the grammar (GBNF) that holds a model to the language over a scenario')
    .argument('<scenario>', 'scenario')
    .addOption(
      new Option('--shape <shape>', 'one declaration, a list of them, or a proposal as JSON')
        .choices(['declaration', 'list', 'proposal'])
        .default('declaration'),
    )
    .option('--count <n>', 'declarations of a list', wholeNumber(1, 12))
    .option('--kinds <kinds>', 'only these kinds, with commas: rule,reward')
    .option('--names <names>', 'what new declarations may be called, with commas')
    .option(
      '--targets <targets>',
      'declarations that are there, with commas: "reward crowding,set agent.accel"',
    )
    .option('--coach', 'without what is reserved to a person')
    .option('--examples <n>', 'random completions instead of the grammar', wholeNumber(1, 1000))
    .option('--seed <n>', 'seed of the examples', wholeNumber(0))
    .addOption(jsonOption())
    .action((scenario: string, options: GrammarOptions) =>
      run(options, (context) => grammar(scenario, options, context)),
    );
}
