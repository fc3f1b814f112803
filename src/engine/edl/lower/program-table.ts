import { declarationKey, drawKey, type VmDeclaration, type VmMetric } from '../../../shared/rl/vm-program.ts';
import type { EnvironmentIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { populatedIndex } from '../population.ts';

/** What all sections of a program share while it is made: the tables that instructions refer into. */
export class ProgramTable {
  readonly index: ManifestIndex;
  /** The scenario with no more members than the text can bring about: a run may have fixed more room. */
  readonly populated: ManifestIndex;
  /** Those of the environment that differ from the scenario's defaults. */
  readonly parameters: ReadonlyMap<string, number>;
  readonly constants: number[] = [];
  readonly declarations: VmDeclaration[] = [];
  readonly metrics: VmMetric[] = [];
  /** Of every EVENT in the order of the code, which is that of lowering. */
  readonly eventKeys: number[] = [];
  /** Initial values of the memory words. */
  readonly memory: number[] = [];
  /** What each memory word is known by to other programs. */
  readonly memoryKeys: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words = new Map<string, number>();
  /** The memory word with the index of the true regime; -1: there are no regimes. */
  regimeWord = -1;

  readonly #checkpoint: () => void;

  /**
   * `checkpoint` is called whenever a declaration is entered; what it throws ends the work.
   */
  constructor(index: ManifestIndex, ir: EnvironmentIr, checkpoint: () => void = () => undefined) {
    this.index = index;
    this.#checkpoint = checkpoint;
    this.parameters = new Map(Object.entries(ir.parameters));
    this.populated = populatedIndex(index, ir);
  }

  /** The number of a declaration, entered when it is first asked for: it may have code in several sections. */
  declare(kind: VmDeclaration['kind'], name: string, instances: number): number {
    this.#checkpoint();
    const key = `${kind} ${name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.declarations.push({ kind, name, key: declarationKey(kind, name), instances }) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  hasWord(name: string): boolean {
    return this.#words.has(name);
  }

  /** The number of the memory word of that name, entered when it is first asked for. One name has one meaning in all programs. */
  word(name: string, initial: number): number {
    const known = this.#words.get(name);
    if (known !== undefined) return known;
    const number = this.memory.push(initial) - 1;
    this.memoryKeys.push(drawKey(`memory ${name}`));
    this.#words.set(name, number);
    return number;
  }
}
