import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compile, compileParsed } from '../../../../src/engine/edl/compile.ts';
import { kindOf } from '../../../../src/engine/edl/declarations/registry.ts';
import { parseText } from '../../../../src/engine/edl/parse.ts';
import type { EdlHost } from '../../../../src/engine/edl/types.ts';
import type { ScenarioManifest } from '../../../../src/shared/rl/manifest.ts';
import { simHost } from '../../../support/sim-host.ts';

const folder = fileURLToPath(new URL('../../../../resources/environments/', import.meta.url));
const samples = readdirSync(folder).map((name) => readFileSync(folder + name, 'utf8'));
/** One declaration of each kind that shows a figure of the scenario in what it comes to. */
const telling = `environment telling extends simple_spread {
  rule late { when time < 40 steps then agent.accel *= 2 }
  reward wait { give time / 1 s to agent limit 10% of nominal potential }
  constraint soon { when time < 40 steps always time < 20 steps penalty 0.1 limit 10% of nominal }
  event gust { at step 40 disturb push agent_0 }
  metric clock { time over episode sum unit s }
  issue slow { when clock > 100 s }
}
`;

/** The scenarios with other figures and other bounds of signals: what a parameter or a stage may change of them. */
function altered(change: (manifest: ScenarioManifest) => Partial<ScenarioManifest>): EdlHost {
  const host = simHost();
  return {
    ...host,
    manifest(name, parameters) {
      const manifest = host.manifest(name, parameters);
      return manifest === null ? null : { ...manifest, ...change(manifest) };
    },
  };
}

const alterations: [string, EdlHost][] = [
  ['nominal return', altered(({ nominalReturn }) => ({ nominalReturn: nominalReturn * 3 }))],
  ['episode length', altered(({ episodeLength }) => ({ episodeLength: episodeLength * 2 }))],
  [
    'bounds of signals',
    altered(({ signals }) => ({ signals: signals.map((signal) => ({ ...signal, max: signal.max * 2 })) })),
  ],
];

describe('elaborateInto', () => {
  test.each(alterations)('takes nothing over from surroundings with another %s', (_, host) => {
    for (const text of [telling, ...samples]) {
      const parsed = parseText(text);
      if (parsed.ast === null || parsed.diagnostics.length > 0) continue;
      compileParsed(parsed, simHost());
      const { diagnostics, environment } = compileParsed(parsed, host);
      const anew = compile(text, host);
      expect(diagnostics, text).toEqual(anew.diagnostics);
      expect(environment?.ir, text).toEqual(anew.environment?.ir);
      expect(environment?.spec.program, text).toEqual(anew.environment?.spec.program);
    }
  });

  test('the texts that show it have every kind that is taken over', () => {
    const { ast } = parseText(telling);
    const kinds = new Set(ast?.declarations.map((node) => kindOf(node).keyword));
    const taken = samples
      .flatMap((text) => parseText(text).ast?.declarations ?? [])
      .map(kindOf)
      .filter(({ dependsOn }) => Array.isArray(dependsOn));
    expect([...new Set(taken.map(({ keyword }) => keyword))].sort()).toEqual([...kinds].sort());
  });
});
