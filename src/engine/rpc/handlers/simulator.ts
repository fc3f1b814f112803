import type { z } from 'zod';
import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { simulator } from '../../../shared/contract/simulator.ts';
import {
  createDescriber,
  type DescriberHost,
  describePlay,
  type TemplateFiles,
} from '../../describe/index.ts';
import { checkScenario, measureSpeed, scenarioLibraries, traceCase } from '../../sim/index.ts';
import { type CompileSpec, specOf, withPlayers } from './environment-spec.ts';
import { playForFrames } from './frames.ts';

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
    frames: (args) => playForFrames(args, compileSpec),
  };
}
