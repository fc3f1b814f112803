import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Client } from '../../../shared/contract/index.ts';
import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { scenariosVariable } from '../../../shared/rl/scenario-libraries.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { type JsonOption, jsonOption } from '../options.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';

function formatList(manifests: readonly ScenarioManifest[]): string {
  const firstSentence = (doc: string) => doc.split(/(?<=\.)\s/)[0] ?? '';
  const rows = manifests.map(({ name, version, numAgents, episodeLength, doc }) => [
    name,
    String(version),
    String(numAgents),
    String(episodeLength),
    firstSentence(doc),
  ]);
  return formatTable(['scenario', 'version', 'agents', 'steps', 'what it is'], rows);
}

const formatBounds = (min: number, max: number, unit: string) =>
  `${min} to ${max}${unit === 'none' ? '' : ` ${unit}`}`;

type Parameter = ScenarioManifest['parameters'][0];

/** The values of a switch or a choice as `set` takes them: names that begin with a digit in quotes. Null for numbers. */
function wordsOf({ kind, choices }: Parameter): readonly string[] | null {
  if (kind === 'bool') return ['false', 'true'];
  return kind === 'choice' ? choices.map((name) => (/^[a-zA-Z_]/.test(name) ? name : `"${name}"`)) : null;
}

const formatDefault = (parameter: Parameter): string =>
  wordsOf(parameter)?.[parameter.default] ?? String(parameter.default);

/** Characters of a list of words beyond which it stands below the table, which it would stretch. */
const widestList = 96;

function formatValues(parameter: Parameter): string {
  const words = wordsOf(parameter);
  if (words === null) return formatBounds(parameter.min, parameter.max, parameter.unit);
  const list = words.join(', ');
  return list.length > widestList ? `${words.length} names, below` : list;
}

/** What did not go into the table. */
function formatLongLists(parameters: readonly Parameter[]): string[] {
  return parameters.flatMap((parameter) => {
    const list = wordsOf(parameter)?.join(', ') ?? '';
    return list.length > widestList ? [`${parameter.name}: ${list}`] : [];
  });
}

/** What a manifest offers, in the order a person asks: what can be set, changed, read, measured. */
export function formatManifest(manifest: ScenarioManifest): string {
  const { parameters, groups, sets, attributes, signals, components, metrics } = manifest;
  const sections: readonly (readonly [
    title: string,
    headings: readonly string[],
    rows: readonly (readonly string[])[],
    after?: readonly string[],
  ])[] = [
    [
      'Parameters (set)',
      ['name', 'default', 'values', 'coach may', 'what it is'],
      parameters.map((each) => [
        each.name,
        formatDefault(each),
        formatValues(each),
        each.coach ? 'yes' : 'no',
        each.doc,
      ]),
      formatLongLists(parameters),
    ],
    [
      'Groups',
      ['name', 'agents', 'observation', 'actions', 'scripted'],
      groups.map((each) => [
        each.name,
        each.agents.join(', '),
        String(each.obsDim),
        each.actionNames.join(', '),
        each.scripted.join(', ') || '–',
      ]),
    ],
    ['Sets', ['name', 'kind', 'what it is'], sets.map((each) => [each.name, each.kind, each.doc])],
    [
      'Attributes',
      ['name', 'of', 'bounds', 'writable', 'what it is'],
      attributes.map((each) => [
        each.name,
        each.kind,
        formatBounds(each.min, each.max, each.unit),
        each.writable ? 'yes' : 'no',
        each.doc,
      ]),
    ],
    [
      'Signals',
      ['name', 'bounds', 'what it is'],
      signals.map((each) => [each.name, formatBounds(each.min, each.max, each.unit), each.doc]),
    ],
    ['Reward components', ['name', 'what it is'], components.map((each) => [each.name, each.doc])],
    [
      'Metrics',
      ['name', 'unit', 'better', 'definition'],
      metrics.map((each) => [each.name, each.unit, each.better, each.doc]),
    ],
  ];
  return [
    `${manifest.name} (version ${manifest.version}): ${manifest.title}`,
    manifest.doc,
    ...sections
      .filter(([, , rows]) => rows.length > 0)
      .map(([title, headings, rows, after = []]) =>
        [`\n${title}`, formatTable(headings, rows), ...after].join('\n'),
      ),
  ].join('\n');
}

function show(name: string | undefined, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const manifests = await client.edl.scenarios({ named: name });
    const [manifest] = manifests;
    if (name === undefined || manifest === undefined)
      return output.answer(manifests, () => formatList(manifests));
    const own = name === manifest.name ? '' : `${name} is ${manifest.name} with the defaults below.\n`;
    output.answer(manifest, () => own + formatManifest(manifest));
  });
}

/** Loads a library in this process by the variable that others inherit it by, then plays what it adds. */
function check(file: string, { output, sessions }: CommandContext): Promise<void> {
  process.env[scenariosVariable] = resolve(file);
  return withSession(sessions.openTools(), async ({ client }) => {
    const { libraries } = await client.simulator.libraries({});
    const names = libraries.flatMap(({ scenarios }) => scenarios);
    const checked: Check[] = [];
    for (const scenario of names) checked.push(await client.simulator.check({ scenario }));
    output.answer(checked, () => checked.map(formatCheck).join('\n'));
    const bad = checked.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
    if (bad.length > 0) {
      throw new AppError('scenario.badLibrary', `${file}: ${bad.join(', ')} does what no scenario may do`, {
        data: { path: file, scenarios: bad },
      });
    }
  });
}

type Check = Awaited<ReturnType<Client['simulator']['check']>>;

function formatCheck({ name, version, numAgents, steps, episodes, problems }: Check): string {
  const head = `${name} (version ${version}): manifest in order; ${numAgents} agents played ${steps} env-steps at random, ${episodes} episodes ended`;
  return [
    head,
    ...(problems.length > 0 ? problems : ['nothing wrong found']).map((line) => `  ${line}`),
  ].join('\n');
}

export function addScenariosCommand(program: Command, run: RunAction): void {
  const scenarios = program
    .command('scenarios')
    .description('the scenarios there are, or what one of them offers')
    .argument('[name]', 'scenario')
    .addOption(jsonOption())
    .action((name: string | undefined, options: JsonOption) =>
      run(options, (context) => show(name, context)),
    );
  scenarios
    .command('check')
    .description('load a library of scenarios of your own, check their manifests and play them at random')
    .argument('<library>', 'shared library (.so, .dylib, .dll)')
    .addOption(jsonOption())
    // The command above has the same option and takes it wherever it stands.
    .action((file: string, _options: JsonOption, command: Command) =>
      run(command.optsWithGlobals<JsonOption>(), (context) => check(file, context)),
    );
}
