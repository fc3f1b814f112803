import type { ElaboratedEnvironment } from '../elaborate/environment.ts';
import { haveSameStructure } from '../elaborate/reuse.ts';
import type { EnvironmentIr } from '../ir.ts';
import { componentsOf, type LowerResult } from './program.ts';

/** Lists of a canonical form that are lowered. */
const lowered = ['rules', 'rewards', 'events', 'npcs', 'constraints', 'metrics'] as const;

type Elaborated = Pick<ElaboratedEnvironment, 'ir' | 'index'>;
type Lowered = Extract<LowerResult, { costPerStep: number }>;

/**
 * The program of a stage where it is that of the environment but for the limits of its components: the same declarations
 * over the same things. Null: it has to be lowered. Parameters reach a program through declarations that mention them,
 * through limits, which are shares of the nominal return, and through regimes.
 */
export function sharedProgram(
  main: Elaborated,
  { program, costPerStep }: Lowered,
  stage: Elaborated,
): Lowered | null {
  const isShared =
    haveSameStructure(main.index.manifest, stage.index.manifest) &&
    (!hasScaledPotential(main.ir) || main.index === stage.index) &&
    lowered.every((list) => haveSameParts(main.ir[list], stage.ir[list])) &&
    isSame(regimesOf(main), regimesOf(stage));
  if (!isShared) return null;
  return { program: { ...program, components: componentsOf(stage.ir, stage.index) }, costPerStep };
}

/** The limit of a potential is in its code, as a scale that follows from bounds. */
function hasScaledPotential(ir: EnvironmentIr): boolean {
  return ir.rewards.some(({ isPotential, limitShare }) => isPotential && limitShare !== null);
}

function haveSameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => isSame(part, b[i]));
}

/** Equality of plain JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && haveSameParts(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isSame(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

/** Regimes and their schedule, with what the parameters they set are outside of them. */
function regimesOf({ ir, index }: Elaborated): readonly unknown[] {
  const names = ir.regimes.flatMap((regime) => regime.settings.map((setting) => setting.parameter));
  const outside = names.map((name) => ir.parameters[name] ?? index.parameters.get(name)?.default ?? null);
  return [ir.regimes, ir.schedule, outside];
}
