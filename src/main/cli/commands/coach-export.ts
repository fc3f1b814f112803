import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readUtf8 } from '../../../engine/files/index.ts';
import type { ExportKinship, ExportSummary } from '../../../shared/contract/coach-export.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { checkExport } from '../check-export.ts';
import type { CommandContext, RunAction } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { exportNames, layOutExport } from '../export-files.ts';
import { findStudy } from '../find-by-id.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';
import { writeOutputFile } from '../write-file.ts';

interface ExportOptions extends WorkspaceOption {
  readonly study?: string[];
  readonly split: number;
  readonly kin: ExportKinship;
  readonly out: string;
  readonly check?: true;
}

/** Problems told one by one. */
const maxShown = 20;
const maxExportBytes = 1024 ** 3;

/** "80/20" as the share of the first part. */
export function readSplit(text: string): number {
  const [, train, test] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  if (Number(train) + Number(test) === 100) return Number(train) / 100;
  throw new InvalidArgumentError('It must be two shares that make 100, as in 80/20.');
}

function check({ out }: ExportOptions, { output }: CommandContext): ExitCode {
  const read = (name: string): string => {
    const file = path.join(out, name);
    if (existsSync(file)) return readUtf8(file, file, maxExportBytes);
    throw new AppError(
      'input.notFound',
      `there is no ${file}: --check looks at what an export left in --out`,
    );
  };
  const found = checkExport({
    train: read(exportNames.train),
    test: read(exportNames.test),
    manifest: read(exportNames.manifest),
  });
  const { problems, numStudies, numExamples } = found;
  const isSound = problems.length === 0;
  output.answer({ event: 'check', isSound, numStudies, numExamples, problems }, () =>
    isSound
      ? `${out}: ${numExamples.train} examples to train on and ${numExamples.test} to test on, of ${numStudies} studies; the two have nothing in common`
      : [
          `${out}: train and test are not apart`,
          ...problems.slice(0, maxShown).map((problem) => `  ${problem}`),
          ...(problems.length > maxShown ? [`  … and ${problems.length - maxShown} more`] : []),
        ].join('\n'),
  );
  return isSound ? 0 : 1;
}

function formatSummary({ studies, leftOut }: ExportSummary, out: string): string {
  const rows = studies.map(({ study, family, part, examples }) => [study, family, part, String(examples)]);
  const sums = (part: string) =>
    studies.filter((study) => study.part === part).reduce((sum, { examples }) => sum + examples, 0);
  const left = [
    `${leftOut.undecided} still open`,
    `${leftOut.noAnswer} without an answer`,
    `${leftOut.notChanges} edited beyond what changes express`,
    ...(leftOut.otherVersion > 0 ? [`${leftOut.otherVersion} of another version`] : []),
  ];
  return [
    ...(rows.length === 0 ? [] : [formatTable(['study', 'family', 'part', 'examples'], rows), '']),
    `${sums('train')} examples to train on and ${sums('test')} to test on in ${out}; left out: ${left.join(', ')}`,
  ].join('\n');
}

function warnOfOnePart({ studies, kin }: ExportSummary, share: number): string | null {
  if (studies.length === 0) return 'no proposal of these studies has an answer and a verdict yet';
  const families = new Set(studies.map(({ family }) => family)).size;
  if (families > 1 || share <= 0 || share >= 1) return null;
  if (studies.length === 1)
    return 'nothing is left to test on: there is one study, and a study is kept in one part';
  return kin === 'environment'
    ? `nothing is left to test on: all ${studies.length} studies share experiments or environments, and what is related is kept in one part ` +
        '(--kin experiment keeps only those of one experiment file together)'
    : `nothing is left to test on: all ${studies.length} studies share experiments or questions, and what is related is kept in one part`;
}

function write(options: ExportOptions, { output, sessions }: CommandContext): Promise<void> {
  const root = findExistingWorkspace(options.workspace);
  const { split: trainShare, kin, out } = options;
  return withSession(sessions.openReader(root), async ({ client }) => {
    const named = options.study ?? [];
    const all = named.length === 0 ? [] : await client.runs.list({});
    const studyIds = named.map((id) => findStudy(all, id).studyId);
    const { train, test, summary } = await client.coach.export({ studyIds, trainShare, kin });
    const texts = layOutExport(train, test, summary);
    for (const part of ['train', 'test', 'manifest'] as const)
      writeOutputFile(path.join(out, exportNames[part]), texts[part]);
    const warning = warnOfOnePart(summary, trainShare);
    if (warning !== null) output.note(`gymwright: ${warning}`);
    output.answer({ event: 'export', out, ...summary }, () => formatSummary(summary, out));
  });
}

export function addCoachExportCommand(coach: Command, run: RunAction): void {
  const command = coach
    .command('export')
    .description(
      "coaches' answers and what became of them as fine-tuning data, train and test apart by study",
    )
    .requiredOption('--out <dir>', 'folder of train.jsonl, test.jsonl and manifest.json')
    .option('--study <ids...>', 'only these studies (ids, or starts of them)')
    .option('--split <shares>', 'shares of train and test', readSplit, 0.8)
    .addOption(
      new Option(
        '--kin <what>',
        'what makes studies related, beside questions in common: a shared environment or experiment file, or the file alone',
      )
        .choices(['environment', 'experiment'])
        .default('environment'),
    )
    .option('--check', 'write nothing: prove that what lies in --out has no study in both parts');
  addWorkspaceOptions(command).action((options: ExportOptions) =>
    run(options, async (context): Promise<ExitCode> => {
      if (options.check) return check(options, context);
      await write(options, context);
      return 0;
    }),
  );
}
