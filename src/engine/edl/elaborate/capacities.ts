import type { Declaration } from '../generated/ast.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import type { Place, Reporter } from '../reporter.ts';

/** What the capacities of an environment are settled with. */
interface CapacityDraft {
  readonly declarations: readonly Declaration[];
  readonly index: ManifestIndex;
  readonly reporter: Reporter;
  /** Where a problem goes that no declaration is to blame for. */
  readonly place: Place;
  /** Parameters that the text sets; a capacity that cannot be is taken out again. */
  readonly values: Map<string, number>;
  /** By set: what a run has fixed with its first environment. */
  readonly pinned: Readonly<Record<string, number>>;
}

/**
 * Holds counts to their capacities and capacities to what a run has fixed. Gives back the parameters that follow from
 * the run alone: they are part of what is simulated, not of the environment's identity.
 */
export function settleCapacities(draft: CapacityDraft): Readonly<Record<string, number>> {
  const follow: Record<string, number> = {};
  for (const capacity of draft.index.capacities.values()) {
    const declared = draft.values.get(capacity.capacity) ?? 0;
    const pinned = draft.pinned[capacity.set] ?? 0;
    if (pinned > 0 && declared > 0 && declared !== pinned) {
      refuseDeclared(draft, capacity.set, declared, pinned);
      draft.values.delete(capacity.capacity);
    }
    const inForce = pinned > 0 ? pinned : declared;
    const usual = draft.index.parameters.get(capacity.count)?.default ?? 0;
    const count = draft.values.get(capacity.count) ?? usual;
    if (inForce > 0 && count > inForce) {
      const fixed = pinned > 0 ? ', fixed for the run' : '';
      const message = `${capacity.count} is ${count}, beyond the capacity of '${capacity.set}' (${inForce}${fixed})`;
      draft.reporter.report('EDL409', placeOf(draft, capacity.set, capacity.count), message);
      draft.values.delete(capacity.capacity);
      draft.values.delete(capacity.count);
    } else if (pinned > 0 && !draft.values.has(capacity.capacity)) follow[capacity.capacity] = pinned;
  }
  return follow;
}

/** The most members each set can have: declared, fixed by the run, or its count. */
export function capacitiesInForce(
  index: ManifestIndex,
  parameters: Readonly<Record<string, number>>,
): Record<string, number> {
  const value = (name: string): number => parameters[name] ?? index.parameters.get(name)?.default ?? 0;
  return Object.fromEntries(
    [...index.capacities.values()].map(({ set, count, capacity }) => [set, value(capacity) || value(count)]),
  );
}

function refuseDeclared(draft: CapacityDraft, set: string, declared: number, pinned: number): void {
  const message = `the capacity of '${set}' is fixed at ${pinned} for the run, not ${declared}: shapes cannot change`;
  draft.reporter.report('EDL409', placeOf(draft, set, ''), message, [`capacity ${set} ${pinned}`]);
}

function placeOf({ declarations, place }: CapacityDraft, set: string, parameter: string): Place {
  const setting = declarations.find((node) => node.$type === 'Setting' && node.path.join('.') === parameter);
  const capacity = declarations.find((node) => node.$type === 'Capacity' && node.set === set);
  const node = setting ?? capacity;
  return node === undefined ? place : { node };
}
