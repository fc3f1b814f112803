import type { EnvironmentSpec, VecEnv, VecEnvOptions } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { DocumentProblem } from '../yaml/index.ts';
import {
  type DescriberState,
  type Description,
  describeReadings,
  type Readings,
} from './describe-readings.ts';
import { type ParsedTemplate, parseTemplate } from './parse-template.ts';
import {
  compileProbe,
  type DescribedEnvironment,
  type ProbeCompiler,
  type ProbeProgram,
} from './probe-program.ts';
import type { Template } from './template.ts';

/** What a describer is composed of: the language over the scenarios at hand, and the simulator. */
export interface DescriberHost extends ProbeCompiler {
  createVecEnv(spec: EnvironmentSpec, options: VecEnvOptions): VecEnv;
}

/** A template's text and what it is called in messages. */
export interface TemplateSource {
  readonly path: string;
  readonly text: string;
}

/** One copy of a batch, or the snapshot of one. */
export type StateSource = Uint8Array | { readonly env: VecEnv; readonly copy: number };

/** Tells the states of one environment by one template. */
export interface Describer {
  readonly template: Template;
  /** What is read of a state: numbers by the template's readings, without words. */
  read(source: StateSource): Readings;
  /**
   * The text of a state. `previous` is the state of the description before, or null at the beginning of an episode: what
   * has not changed by more than its margin is told as it was.
   * Throws: sim.badSnapshot for a state of another environment; RangeError for a previous state of another template.
   * Cost: a snapshot, a restore and the template's expressions; well below a millisecond.
   */
  describe(source: StateSource, previous: DescriberState | null): Description;
  dispose(): void;
}

/**
 * What is wrong with a template for an environment: its YAML, its keys, its EDL. Lines count from 1. Throws: what the
 * host throws for a scenario it does not know.
 */
export function checkTemplate(
  environment: DescribedEnvironment,
  { text }: TemplateSource,
  host: ProbeCompiler,
): readonly DocumentProblem[] {
  const prepared = prepare(environment, text, host);
  return 'problems' in prepared ? prepared.problems : [];
}

/**
 * Makes a describer for the states of an environment (its parameters decide how many agents there are).
 * Throws: input.invalid with every problem of the template, one a line as path:line:column, and in `data`.
 */
export function createDescriber(
  environment: DescribedEnvironment,
  source: TemplateSource,
  host: DescriberHost,
): Describer {
  const prepared = prepare(environment, source.text, host);
  if ('problems' in prepared) throw invalidTemplate(source.path, prepared.problems);
  const { template, program } = prepared;
  const env = host.createVecEnv(program.spec, { numEnvs: 1, seed: 0n, firstEpisode: 0 });
  return new ProbingDescriber(template, program, env);
}

type Prepared =
  | { readonly template: Template; readonly program: ProbeProgram }
  | { readonly problems: readonly DocumentProblem[] };

function prepare(environment: DescribedEnvironment, text: string, compiler: ProbeCompiler): Prepared {
  const parsed: ParsedTemplate = parseTemplate(text);
  const { template, problems, problemAt } = parsed;
  if (template === null) return { problems };
  if (template.scenario !== environment.scenario) {
    const message = `the template is for ${template.scenario}, the environment is one of ${environment.scenario}`;
    return { problems: [problemAt(['scenario'], message)] };
  }
  const program = compileProbe(template, environment, compiler, problemAt);
  return 'problems' in program ? program : { template, program };
}

function invalidTemplate(path: string, problems: readonly DocumentProblem[]): AppError {
  const lines = problems.map(({ line, column, message }) => `  ${path}:${line}:${column} ${message}`);
  return new AppError('input.invalid', `${path} cannot be used as a describer:\n${lines.join('\n')}`, {
    data: { path, problems },
  });
}

class ProbingDescriber implements Describer {
  readonly template: Template;
  readonly #program: ProbeProgram;
  /** One copy that runs nothing but the readings. */
  readonly #env: VecEnv;
  readonly #agents: readonly string[];

  constructor(template: Template, program: ProbeProgram, env: VecEnv) {
    this.template = template;
    this.#program = program;
    this.#env = env;
    this.#agents = program.manifest.groups
      .toSorted((a, b) => a.firstAgent - b.firstAgent)
      .flatMap((group) => group.agents);
  }

  read(source: StateSource): Readings {
    const snapshot = source instanceof Uint8Array ? source : source.env.snapshot(source.copy);
    this.#env.restore(0, snapshot);
    const values = this.#env.probe();
    const { columns } = this.#program;
    const at = (column: number, agent: number): number => values[agent * columns.size + column] ?? Number.NaN;
    return Object.fromEntries(
      this.template.slots.flatMap(({ loop, readings }) =>
        readings.map(({ key }) => {
          const column = columns.get(key);
          if (column === undefined) throw new RangeError(`the probe has no column for the reading "${key}"`);
          return [key, loop === null ? at(column, 0) : this.#agents.map((_, agent) => at(column, agent))];
        }),
      ),
    );
  }

  describe(source: StateSource, previous: DescriberState | null): Description {
    return describeReadings(this.template, this.#agents, this.read(source), previous);
  }

  dispose(): void {
    this.#env.dispose();
  }
}
