import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { CoachEdl } from '../types.ts';
import { carriedFactor, type DeclaredComponent, declaredComponents, isSameComponent } from './components.ts';
import { isGradual, type ShapingDiscipline } from './discipline.ts';

/** A shaping component of the environment that trains, and how much of it is in force. */
export interface ComponentInForce {
  /** In the program that runs. */
  readonly name: string;
  /** Beside its decay. */
  readonly weight: number;
  /** Where the weight is heading: 1, or 0 for what is no longer declared. */
  readonly goal: number;
  /** |weight − goal| when the change was applied. */
  readonly span: number;
  /** It did not stand in the environment that the run began with. */
  readonly isCoachMade: boolean;
  /** The name it was declared by, of one that is only there to fade. */
  readonly fades: string | null;
}

/** What trains: an environment, or one with what fades put in. */
export interface RunningEnvironment {
  /** The text that people and coaches change. */
  readonly declared: string;
  /** The same with what fades. */
  readonly text: string;
  readonly environment: CompiledEnvironment;
  /** In the order of the program's components. */
  readonly components: readonly ComponentInForce[];
  /** Training steps at the last change of weights. */
  readonly changedAt: number | null;
}

export interface FollowInput {
  /** As the run compiles. */
  readonly edl: Pick<CoachEdl, 'applyChanges'>;
  readonly before: RunningEnvironment;
  /** What is to hold. */
  readonly text: string;
  readonly environment: CompiledEnvironment;
  /** What the run began with. */
  readonly first: CompiledEnvironment;
  readonly discipline: ShapingDiscipline;
  readonly trainedSteps: number;
  /** What-if branches are too short to wait for: there, what changes holds at once, and what is on its way goes on. */
  readonly isTrial?: boolean;
}

/** All components as the text has them: what a run begins with. */
export function beginWith(text: string, environment: CompiledEnvironment): RunningEnvironment {
  const components = declaredComponents(environment).map(
    ({ name }): ComponentInForce => ({
      name,
      weight: 1,
      goal: 1,
      span: 0,
      isCoachMade: false,
      fades: null,
    }),
  );
  return { declared: text, text, environment, components, changedAt: null };
}

/**
 * The environment that trains after a change of the text: what pays as before, or more or less of the same, begins at the
 * weight that pays what was paid; what is new begins at 0; a reward that is gone, or has become another one, stays in
 * under another name and fades. Where that cannot be written (it needs what is gone too), it ends at once. What
 * constraints took ends with them.
 */
export function followChange(input: FollowInput): RunningEnvironment {
  const { before, text, environment, discipline, isTrial = false } = input;
  if (text === before.declared) return before;
  const running = declaredComponents(before.environment);
  const used = new Set<number>();
  const declared = new Map(
    declaredComponents(environment).map((component) => {
      const source = findSource(input, running, component, used);
      return [component.name, takeUp(input, component, source)] as const;
    }),
  );
  const fading = isGradual(discipline)
    ? running.flatMap((component, i) => {
        const state = before.components[i];
        if (used.has(i) || state === undefined || component.kind !== 'reward' || state.weight === 0)
          return [];
        if (isTrial && state.fades === null) return [];
        return [{ component, state }];
      })
    : [];
  return putIn(input, declared, fading);
}

interface Source {
  readonly state: ComponentInForce;
  readonly factor: number;
}

/** The running component that pays what `component` declares, up to a factor. */
function findSource(
  { before, trainedSteps }: FollowInput,
  running: readonly DeclaredComponent[],
  component: DeclaredComponent,
  used: Set<number>,
): Source | null {
  const nameOf = (i: number): string | undefined => before.components[i]?.fades ?? running[i]?.name;
  const candidates = running.flatMap((each, i): { i: number; source: Source }[] => {
    const state = before.components[i];
    if (state === undefined || used.has(i) || nameOf(i) !== component.name) return [];
    const factor = carriedFactor(each, component, trainedSteps);
    return factor === null ? [] : [{ i, source: { state, factor } }];
  });
  // One that is declared comes before one that fades.
  const best = candidates.find(({ source }) => source.state.fades === null) ?? candidates[0];
  if (best === undefined) return null;
  used.add(best.i);
  return best.source;
}

function takeUp(
  { first, discipline, isTrial = false }: FollowInput,
  component: DeclaredComponent,
  source: Source | null,
): ComponentInForce {
  const isCoachMade = !declaredComponents(first).some((each) => isSameComponent(each, component));
  const isOnItsWay = source !== null && source.factor === 1 && source.state.goal === 1;
  const isAtOnce = !isGradual(discipline) || (isTrial && !isOnItsWay);
  const weight = isAtOnce ? 1 : source === null ? 0 : source.state.weight * source.factor;
  const span = isOnItsWay ? source.state.span : Math.abs(1 - weight);
  return { name: component.name, weight, goal: 1, span, isCoachMade, fades: null };
}

interface Fading {
  readonly component: DeclaredComponent;
  readonly state: ComponentInForce;
}

/** The environment with what fades written into it, as far as it can be: each by itself, so that none ends for another. */
function putIn(
  { edl, before, text, environment }: FollowInput,
  declared: ReadonlyMap<string, ComponentInForce>,
  fading: readonly Fading[],
): RunningEnvironment {
  const states = new Map(declared);
  const taken = new Set(environment.declarations.map(({ name }) => name));
  let running = { text, environment };
  for (const { component, state } of fading) {
    const target = `reward ${component.name}`;
    const written = before.environment.declarations.find((each) => each.target === target);
    if (written === undefined) continue;
    const fades = state.fades ?? component.name;
    const name = freeName(fades, taken);
    const change = { op: 'add', target: `reward ${name}`, edl: renamed(written.text, name) } as const;
    const result = edl.applyChanges(running.text, [change]);
    if ('refused' in result) continue;
    running = { text: result.text, environment: result.environment };
    taken.add(name);
    const span = state.fades === null ? Math.abs(state.weight) : state.span;
    states.set(name, { ...state, name, goal: 0, span, fades });
  }
  const components = declaredComponents(running.environment).flatMap(({ name }) => states.get(name) ?? []);
  return { declared: text, ...running, components, changedAt: before.changedAt };
}

/** "crowding_fades", "crowding_fades_2", … */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? `${name}_fades` : `${name}_fades_${i}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function renamed(declaration: string, name: string): string {
  return declaration.replace(/^(\s*reward\s+)[A-Za-z_][A-Za-z0-9_]*/, `$1${name}`);
}

/** What a trainer is told: the environment with the weights that hold, their course and the bound of the coach's terms. */
export function specInForce(
  {
    environment,
    components,
    changedAt,
  }: Pick<RunningEnvironment, 'environment' | 'components' | 'changedAt'>,
  { smoothing, freeze, share }: ShapingDiscipline,
): EnvironmentSpec {
  const program = environment.spec.program;
  const members = components.flatMap(({ isCoachMade }, i) =>
    isCoachMade && program?.components[i]?.isPotential === false ? [i] : [],
  );
  return {
    ...environment.spec,
    shaping: {
      weights: Float64Array.from(components, ({ weight }) => weight),
      joint:
        share === null || members.length === 0
          ? null
          : { components: members, limit: share * environment.manifest.nominalReturn },
      course: {
        target: Float64Array.from(components, ({ goal }) => goal),
        span: Float64Array.from(components, ({ span }) => span),
        smoothing,
        freezeSteps: freeze,
        changedAt,
      },
    },
  };
}
