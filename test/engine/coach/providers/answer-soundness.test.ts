import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerGrammar, answerRules } from '../../../../src/engine/coach/providers/answer-grammar.ts';
import { measuredNames } from '../../../../src/engine/coach/validate/check-changes.ts';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { applyChanges } from '../../../../src/engine/edl/edit/apply-changes.ts';
import { longestCompletion, walkGrammar } from '../../../../src/engine/edl/gbnf/index.ts';
import type { CompiledEnvironment } from '../../../../src/engine/edl/types.ts';
import { proposalBody } from '../../../../src/shared/contract/coach.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { simHost } from '../../../support/sim-host.ts';

const folder = new URL('../../../../resources/environments/', import.meta.url);
const host = {
  ...simHost(),
  text: (name: string) => ({ path: name, text: readFileSync(new URL(name, folder), 'utf8') }),
};
const numAnswers = 60;

function compiledOf(text: string): CompiledEnvironment {
  const { environment, diagnostics } = compile(text, host);
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return environment;
}

describe('answers about the environments that come along', () => {
  test.each(readdirSync(folder))('%s: nineteen of twenty can be applied by a coach', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const environment = compiledOf(text);
    const rules = answerRules(environment, measuredNames(environment));
    const draw = new Draw(41);
    const pinned = { ...host, capacities: environment.capacities };
    const refused: string[] = [];
    for (let i = 0; i < numAnswers; i++) {
      const { changes } = proposalBody.parse(JSON.parse(walkGrammar(rules, () => draw.next())));
      const result = applyChanges(text, changes, pinned, { author: 'coach' });
      if ('refused' in result) {
        const { op, target, edl } = changes[result.change] ?? { op: '', target: '', edl: '' };
        refused.push(`${result.refused.code} ${op} ${target}: ${result.refused.message}\n${edl}`);
      } else
        expect(Object.keys(result.environment.spec.scripted)).toEqual(Object.keys(environment.spec.scripted));
    }
    expect(refused.length / numAnswers, refused.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test('end within their tokens, at two characters a token', () => {
    const environment = compiledOf(readFileSync(new URL('capture-raids.edl', folder), 'utf8'));
    const metrics = measuredNames(environment);
    const { maxTokens } = answerGrammar(environment, metrics);
    expect(2 * maxTokens).toBeGreaterThanOrEqual(longestCompletion(answerRules(environment, metrics)));
    expect(maxTokens).toBeLessThan(2000);
  });
});
