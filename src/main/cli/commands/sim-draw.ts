import { type Command, InvalidArgumentError } from 'commander';
import { animateFrames, type DrawOptions, drawFrames } from '../../../shared/draw/index.ts';
import { type Frame, type FrameCast, shapesOf } from '../../../shared/rl/frame.ts';
import { unpackFrames } from '../../../shared/rl/packed-frames.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { areFiles, fileOf, findPolicies } from '../find-policies.ts';
import {
  addPlayer,
  addWorkspaceOptions,
  positiveNumber,
  type WorkspaceOption,
  wholeNumber,
} from '../options.ts';
import { scenarioSource } from '../scenario-source.ts';
import { withSession } from '../sessions.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';
import { isStandardOutput, writeOutputFile } from '../write-file.ts';

interface Steps {
  readonly from: number;
  readonly to?: number;
}

type Detail = 'ranges' | 'sights';

interface DrawCommandOptions extends WorkspaceOption, DrawOptions {
  readonly edl?: string;
  readonly seed: number;
  readonly episode: number;
  readonly step?: number;
  readonly steps?: Steps;
  readonly frames?: number;
  readonly play: Readonly<Record<string, string>>;
  readonly policy: readonly string[];
  readonly show: readonly Detail[];
  readonly animate?: true;
  readonly seconds?: number;
  readonly out?: string;
}

/** Pictures that a sheet has where nobody says how many. */
const usualFrames = 12;

/** `A..B`, or `A..` to the end of the episode. */
function readSteps(given: string): Steps {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})?$/.exec(given) ?? [];
  if (from === undefined)
    throw new InvalidArgumentError('It must be A..B, or A.. to the end of the episode.');
  return { from: Number(from), ...(to !== undefined && { to: Number(to) }) };
}

function readDetails(given: string): Detail[] {
  return given.split(',').map((word) => {
    const detail = word.trim();
    if (detail === 'ranges' || detail === 'sights') return detail;
    throw new InvalidArgumentError('It must be a list of ranges, sights.');
  });
}

/** f32 has seven digits. */
const rounded = (value: number): number => Number(value.toPrecision(7));

/** A shape without what it has not. */
function compactShapes(frame: Frame): object[] {
  return shapesOf(frame).map((shape) =>
    Object.fromEntries(
      Object.entries(shape).flatMap(([key, value]) => {
        if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return [];
        return [[key, typeof value === 'number' ? rounded(value) : value]];
      }),
    ),
  );
}

function wantedSteps({ step, steps }: DrawCommandOptions): Steps {
  if (step !== undefined && steps !== undefined)
    throw new AppError('input.invalid', 'give --step N or --steps A..B, not both');
  if (step !== undefined) return { from: step, to: step };
  return steps ?? { from: 0 };
}

function drawing(frames: readonly Frame[], cast: FrameCast, options: DrawCommandOptions): string {
  const { width, columns, seconds } = options;
  const sized = { ...(width !== undefined && { width }) };
  if (options.animate)
    return animateFrames(frames, cast, { ...sized, ...(seconds !== undefined && { seconds }) });
  return drawFrames(frames, cast, { ...sized, ...(columns !== undefined && { columns }) });
}

function draw(
  given: string | undefined,
  options: DrawCommandOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  const { edl, seed, episode, play, policy, show, out } = options;
  if (out === undefined && !output.isJson)
    throw new AppError('input.invalid', 'say where the picture goes with --out FILE.svg, or ask for --json');
  if (out === '-' && output.isJson)
    throw new AppError(
      'input.invalid',
      'with --json standard output holds the frames alone: write the picture with --out FILE.svg',
    );
  const isSheet = !output.isJson && options.animate === undefined;
  const most = options.frames ?? (isSheet ? usualFrames : undefined);
  const root = areFiles(policy) ? null : findExistingWorkspace(options.workspace);
  return withSession(root === null ? sessions.openTools() : sessions.openReader(root), async ({ client }) => {
    const found = await findPolicies(client, policy);
    const source = await scenarioSource(client, given, edl);
    const { cast, frames: packed } = await client.simulator.frames({
      ...source,
      ...wantedSteps(options),
      ...(most !== undefined && { most }),
      seed,
      episode,
      play,
      policies: found.map((each) => fileOf(each, root ?? '')),
      ranges: show.includes('ranges'),
      sights: show.includes('sights'),
    });
    const frames = unpackFrames(packed);
    const toStdout = isStandardOutput(out);
    if (!toStdout) writeOutputFile(out, drawing(frames, cast, options));
    if (!output.isJson) {
      if (toStdout) return output.print(drawing(frames, cast, options));
      const count = frames.length === 1 ? `step ${frames[0]?.step ?? 0}` : `${frames.length} frames`;
      return output.print(`wrote ${out} (${cast.scenario}, ${count})`);
    }
    output.json(cast);
    for (const frame of frames) {
      const { episode: index, step, regime, status, box } = frame;
      output.json({ episode: index, step, regime, status, box, shapes: compactShapes(frame) });
    }
  });
}

const addPolicy = (file: string, before: readonly string[]): string[] => [...before, file];

/** `sim draw`. */
export function addDrawCommand(sim: Command, run: RunAction): void {
  addWorkspaceOptions(
    sim
      .command('draw')
      .description('an episode as a picture: one step, a sheet of several, or a film (SVG)')
      .argument('[scenario]', 'scenario name; with --edl it may be left out')
      .option('--edl <file>', 'play this environment of the scenario')
      .option('--seed <n>', 'stream the episode is drawn from', wholeNumber(0), 0)
      .option('--episode <n>', 'its index in the stream', wholeNumber(0), 0)
      .option('--step <n>', 'draw this step alone; 0 is the beginning', wholeNumber(0))
      .option('--steps <a..b>', 'draw these steps (default: 0.., the whole episode)', readSteps)
      .option(
        '--frames <n>',
        `at most so many, evenly chosen (default: ${usualFrames}; all for films and --json)`,
        wholeNumber(1, 10_000),
      )
      .option(
        '--play <group=policy>',
        'a built-in policy plays the group, others act at random',
        addPlayer,
        {},
      )
      .option(
        '--policy <policy>',
        'a trained one (id or .onnx file) plays its group greedily; may be given again',
        addPolicy,
        [],
      )
      .option('--show <list>', 'draw also ranges, sights', readDetails, [])
      .option('--width <px>', 'of one picture', wholeNumber(40, 4000))
      .option('--columns <n>', 'pictures side by side', wholeNumber(1, 1000))
      .option('--animate', 'a film in place of a sheet')
      .option('--seconds <s>', 'of each frame of a film (default: 0.15)', positiveNumber)
      .option('--out <file>', 'the .svg file to write; - for standard output'),
  ).action((scenario: string | undefined, options: DrawCommandOptions) =>
    run(options, async (context) => draw(scenario, options, context)),
  );
}
