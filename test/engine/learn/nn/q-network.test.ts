import { describe, expect, test } from 'vitest';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import { ParameterLayout } from '../../../../src/engine/learn/nn/parameters.ts';
import {
  applyFrozenQNetwork,
  applyQNetwork,
  type QNetwork,
  qNetworkParameters,
} from '../../../../src/engine/learn/nn/q-network.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';
import { prepare } from '../../../support/run-graph.ts';

const rows = 3;

describe.each([true, false])('applyQNetwork with memory %s', (isRecurrent) => {
  const net: QNetwork = { name: 'agent', inputs: 4, hidden: 5, numActions: 2, isRecurrent };
  const layout = new ParameterLayout(qNetworkParameters(net));
  const flat = layout.initialise(new CounterRng(2n, 0));
  const rng = new CounterRng(3n, 0);
  const inputs = Array.from({ length: 2 * rows }, () => Array.from({ length: 4 }, () => rng.nextNormal()));

  test('over two steps is what the frozen network gives step by step', async () => {
    const g = new Graph();
    const parameters = layout.unpack(g, g.input('parameters', [1, layout.size]));
    const sequence = { h0: g.fill(0, [net.hidden, rows]), numSteps: 2 };
    const { q } = applyQNetwork(g, net, parameters, g.input('x', [2 * rows, 5]), sequence);
    const run = await prepare(g, { q });
    const whole = (await run({ parameters: flat, x: inputs.flatMap((row) => [...row, 1]) })).q as number[];

    const frozen = new Graph();
    const hidden = isRecurrent ? frozen.input('hidden', [rows, net.hidden]) : null;
    const step = applyFrozenQNetwork(frozen, net, layout, flat, frozen.input('x', [rows, 4]), hidden);
    const act = await prepare(frozen, { q: step.q, ...(step.next && { next: step.next }) });
    let memory: number[] = Array(rows * net.hidden).fill(0);
    for (let t = 0; t < 2; t++) {
      const result = await act({ x: inputs.slice(t * rows, (t + 1) * rows).flat(), hidden: memory });
      memory = result.next ?? memory;
      for (let i = 0; i < rows; i++) {
        for (let k = 0; k < 2; k++) {
          const expected = result.q?.[i * 2 + k] as number;
          expect(whole[k * 2 * rows + t * rows + i], `step ${t} row ${i} action ${k}`).toBeCloseTo(
            expected,
            5,
          );
        }
      }
    }
  });
});
