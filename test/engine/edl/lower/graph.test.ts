import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { ValueGraph } from '../../../../src/engine/edl/lower/graph.ts';
import { LoweringBudget, LoweringLimit, limits } from '../../../../src/engine/edl/lower/limits.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { simHost } from '../../../support/sim-host.ts';

describe('ValueGraph', () => {
  test('equal computations are one value, different ones are not (seed 4)', () => {
    const graph = new ValueGraph([], new LoweringBudget());
    const known = new Map<string, number>();
    const draw = new Draw(4);
    for (let i = 0; i < 20_000; i++) {
      const op = draw.pick(['ADD', 'MUL', 'SELECT', 'LOAD'] as const);
      const operands = [draw.below(50), draw.below(50), op === 'SELECT' ? draw.below(9) : 0] as const;
      const key = `${op} ${operands.join(' ')}`;
      const id = graph.make(op, ...operands);
      expect(id).toBe(known.get(key) ?? known.size);
      known.set(key, id);
    }
    expect(known.size).toBeGreaterThan(5000);
    expect(graph.nodes).toHaveLength(known.size);
  });

  test('asking for what is known already is work too', () => {
    const graph = new ValueGraph([], new LoweringBudget());
    let asked = 0;
    const ask = () => {
      for (;;) {
        graph.make('LOAD', 1, 2);
        asked++;
      }
    };
    expect(ask).toThrow(LoweringLimit);
    expect(asked).toBe(limits.maxLoweringWork);
  });

  test('all graphs of a text draw on one budget', () => {
    const budget = new LoweringBudget();
    const first = new ValueGraph([], budget);
    for (let i = 0; i < limits.maxLoweringWork; i++) first.visit();
    expect(() => new ValueGraph([], budget).visit()).toThrow(LoweringLimit);
  });
});

describe('unrolling', () => {
  const counts = ['red.assault', 'red.support', 'blue.assault', 'blue.support'];
  const crowd = counts.map((name) => `set ${name}.count = 8`).join(' ');
  const chased = (of: string) => `nearest(agent to nearest(opponent(${of}) to ${of}))`;
  const pairs = `for a in agent for b in agent when distance(${chased('a')}, ${chased('b')}) < 1 m`;
  const rule = `rule r { ${pairs} then a.speed *= 0.5 }`;
  const stages = Array.from({ length: 32 }, (_, i) => `stage s${i} { until captures > ${i} }`).join(' ');

  test.each([
    ['of pairs whose values are shared', rule],
    ['of the same in every stage', `${rule} ${stages}`],
  ])('%s ends with a diagnostic, in less than a second', (_, declarations) => {
    const text = environmentOf(`${crowd} ${declarations}`, 'capture');
    let codes: string[] = [];
    const took = cpuMs(() => {
      codes = compile(text, simHost()).diagnostics.map(({ code }) => code);
    });
    expect(codes).toContain('EDL504');
    expect(took).toBeLessThan(1000);
  });
});
