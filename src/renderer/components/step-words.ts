import { formatValue } from './format.ts';

/** What a step did: instances of declarations that fired, and pay by agent and component, [A,C]. */
export interface StepOutcome {
  readonly fired: Readonly<Record<string, number>>;
  readonly components: Float32Array;
}

/** "reward near ×3; paid: near 0.3, crowding −1" (sums over agents): what fired, and what was paid by component. */
export function stepWords({ fired, components }: StepOutcome, names: readonly string[]): string {
  const firing = Object.entries(fired).map(([target, count]) => `${target} ×${count}`);
  const paid = names.flatMap((name, column) => {
    let sum = 0;
    for (let i = column; i < components.length; i += names.length) sum += components[i] ?? 0;
    return sum === 0 ? [] : [`${name} ${formatValue(sum)}`];
  });
  return `${firing.join(', ') || 'nothing fires'}; paid: ${paid.join(', ') || 'nothing'}`;
}
