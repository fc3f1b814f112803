import { declarationKey, type VmDeclaration, type VmMetric } from '../../../shared/rl/vm-program.ts';
import type { ManifestIndex } from '../manifest-index.ts';

/** What all sections of a program share while it is made: the tables that instructions refer into. */
export class ProgramTable {
  readonly index: ManifestIndex;
  readonly constants: number[] = [];
  readonly declarations: VmDeclaration[] = [];
  readonly metrics: VmMetric[] = [];
  /** Initial values of the memory words. */
  readonly memory: number[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(index: ManifestIndex) {
    this.index = index;
  }

  /** The number of a declaration, entered when it is first asked for: it may have code in several sections. */
  declare(kind: VmDeclaration['kind'], name: string, instances: number): number {
    const key = `${kind} ${name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.declarations.push({ kind, name, key: declarationKey(kind, name), instances }) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** The number of a new memory word. */
  remember(initial: number): number {
    return this.memory.push(initial) - 1;
  }
}
