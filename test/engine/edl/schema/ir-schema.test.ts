import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { declarationListGrammar, walkGrammar } from '../../../../src/engine/edl/gbnf/index.ts';
import { canonicalJson } from '../../../../src/engine/edl/identity.ts';
import { irJsonSchema, irSchema } from '../../../../src/engine/edl/schema/ir-schema.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { simHost } from '../../../support/sim-host.ts';

const folder = new URL('../../../../resources/environments/', import.meta.url);
const host = {
  ...simHost(),
  text: (name: string) => ({ path: name, text: readFileSync(new URL(name, folder), 'utf8') }),
};

function irOf(text: string) {
  const { environment, diagnostics } = compile(text, host);
  return environment === null ? diagnostics : environment.ir;
}

describe('irSchema', () => {
  test.each(readdirSync(folder))('holds the canonical form of %s, and loses nothing of it', (name) => {
    const ir = irOf(readFileSync(new URL(name, folder), 'utf8'));
    expect(canonicalJson(irSchema.parse(ir))).toBe(canonicalJson(ir));
  });

  test('holds what random texts of every scenario come to (seed 21)', () => {
    const draw = new Draw(21);
    let count = 0;
    for (const scenario of host.scenarioNames?.() ?? []) {
      const manifest = host.manifest(scenario, {});
      if (manifest === null) continue;
      const grammar = declarationListGrammar({ manifest }, 5);
      for (let i = 0; i < 40; i++) {
        const { environment } = compile(
          `environment x extends ${scenario} {\n${walkGrammar(grammar, () => draw.next())}\n}`,
          host,
        );
        if (environment === null) continue;
        count++;
        expect(canonicalJson(irSchema.parse(environment.ir))).toBe(canonicalJson(environment.ir));
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  test.each([
    ['a key too many', { extra: 1 }],
    ['another format', { format: 1 }],
    [
      'an expression of no kind',
      { rules: [{ name: 'r', loops: [], condition: { op: 'maybe' }, effects: [] }] },
    ],
    ['a number that is none', { parameters: { 'agent.accel': Number.NaN } }],
  ])('refuses %s', (_, change) => {
    const ir = irOf('environment x extends simple_spread {}');
    expect(irSchema.safeParse(ir).success).toBe(true);
    expect(irSchema.safeParse({ ...ir, ...change }).success).toBe(false);
  });

  test('is published as JSON schema, with what refers to itself by name', () => {
    const schema = irJsonSchema() as { $defs: object; required: string[] };
    expect(Object.keys(schema.$defs).sort()).toEqual(['Entity', 'Expression', 'Place', 'Set', 'Target']);
    expect(schema.required).toEqual(Object.keys(irOf('environment x extends simple_spread {}')));
  });
});
