import type { z } from 'zod';
import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { simulator } from '../../../shared/contract/simulator.ts';
import { playersOf } from '../../../shared/rl/players.ts';
import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import {
  createDescriber,
  type DescriberHost,
  describePlay,
  type TemplateFiles,
} from '../../describe/index.ts';
import {
  checkScenario,
  measureSpeed,
  plainSpec,
  scenarioLibraries,
  scenarioManifest,
  traceCase,
} from '../../sim/index.ts';

/** Compiles EDL text for the scenarios of this build. Throws edl.invalid with the first diagnostic. */
export type CompileSpec = (text: string, path?: string) => EnvironmentSpec;

function specOf(
  scenario: string,
  text: string | undefined,
  compileSpec: CompileSpec,
  path?: string,
): EnvironmentSpec {
  if (text === undefined) return plainSpec(scenario);
  const spec = compileSpec(text, path);
  if (spec.scenario === scenario) return spec;
  throw new AppError('input.invalid', `the environment extends ${spec.scenario}, not ${scenario}`);
}

export interface SimulatorParts {
  readonly compileSpec: CompileSpec;
  readonly templates: TemplateFiles;
  readonly describerHost: DescriberHost;
}

type DescribeArgs = z.output<(typeof simulator)['describe']['args']>;

function describe(args: DescribeArgs, { compileSpec, templates, describerHost }: SimulatorParts) {
  const { play, steps = null, every, seed } = args;
  const compiled = specOf(args.scenario, args.text, compileSpec, args.path);
  const { scenario } = compiled;
  const spec = withPlayers(compiled, play);
  // The scenario is looked for before its template.
  describerHost.manifest(scenario, spec.parameters);
  const template = args.template ?? templates.read(scenario);
  const describer = createDescriber(spec, template, describerHost);
  try {
    const descriptions = describePlay(describer, describerHost, { spec, steps, every, seed });
    return { template: template.path, descriptions };
  } finally {
    describer.dispose();
  }
}

/**
 * The environment with built-in policies for groups: those that are named, and those that play where nobody says
 * otherwise. Throws input.invalid where it plays one of the named groups itself; scenario.unknown.
 */
export function withPlayers(spec: EnvironmentSpec, play: Readonly<Record<string, string>>): EnvironmentSpec {
  const group = Object.keys(play).find((name) => Object.hasOwn(spec.scripted, name));
  if (group === undefined) {
    const manifest = scenarioManifest(spec.scenario, spec.parameters);
    return { ...spec, scripted: playersOf(manifest, spec.scripted, play) };
  }
  throw new AppError(
    'input.invalid',
    `group "${group}" is controlled by npc declarations of the environment: take it out of what is played, or the ` +
      'declarations out of the environment',
  );
}

export function createSimulatorHandlers(parts: SimulatorParts): DomainHandlers<typeof simulator> {
  const { compileSpec } = parts;
  return {
    speed: async ({ scenario, text, path, numEnvs, seconds }) => {
      const spec = specOf(scenario, text, compileSpec, path);
      const { program, ...speed } = await measureSpeed({ spec, numEnvs, seconds });
      return {
        ...speed,
        program: program && { ...program, declarations: program.declarations.map((each) => ({ ...each })) },
      };
    },
    libraries: () => ({
      libraries: scenarioLibraries().map(({ path, scenarios }) => ({ path, scenarios: [...scenarios] })),
    }),
    check: ({ scenario }) => {
      const { manifest, problems, ...played } = checkScenario(scenario);
      const { name, version, numAgents } = manifest;
      return { name, version, numAgents, ...played, problems: [...problems] };
    },
    trace: ({ scenario, case: value }) => traceCase(scenario, value),
    describe: (args) => describe(args, parts),
  };
}
