import { expect, test } from 'vitest';
import { compile, listDeclarations } from '../../../../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../../../src/engine/sim/index.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { ProgramWriter, programKinds } from '../../../support/edl-generator/program-writer.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();
/** The order of stages is the one that means something. */
const kinds = programKinds.filter((kind) => kind !== 'stage');

function shuffled(text: string, seed: number): string {
  const draw = new Draw(seed);
  const rest = listDeclarations(text).map((declaration) => declaration.text);
  const drawn: string[] = [];
  while (rest.length > 0) drawn.push(...rest.splice(draw.below(rest.length), 1));
  return `${text.slice(0, text.indexOf('{') + 1)}\n${drawn.join('\n')}\n}\n`;
}

test.each(scenarioNames())(
  'the order of declarations changes no instruction of 60 programs on %s',
  (scenario) => {
    const manifest = scenarioManifest(scenario, {});
    let compared = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const text = new ProgramWriter(seed, manifest, { kinds }).environment();
      const one = compile(text, host).environment;
      const other = compile(shuffled(text, seed), host).environment;
      expect(other === null, text).toBe(one === null);
      if (one === null || other === null) continue;
      expect(other.identity, text).toBe(one.identity);
      expect(other.spec.program, text).toEqual(one.spec.program);
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
  },
);
