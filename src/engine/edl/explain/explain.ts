import { internalDiagnostic } from '../compile.ts';
import { kindOf } from '../declarations/registry.ts';
import { elaborateEnvironment } from '../elaborate/environment.ts';
import { identityOf } from '../identity.ts';
import { limits } from '../lower/limits.ts';
import { lowerEnvironment } from '../lower/program.ts';
import { parseText } from '../parse.ts';
import { Reporter } from '../reporter.ts';
import type { EdlHost, TextResult } from '../types.ts';

/**
 * What an environment changes against its scenario, within which bounds and at which cost, in plain words.
 * A text with errors is given back as its diagnostics. Throws: never.
 */
export function explain(text: string, host: EdlHost): TextResult {
  try {
    return explainParsed(text, host);
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)] };
  }
}

function explainParsed(text: string, host: EdlHost): TextResult {
  const parsed = parseText(text);
  if (parsed.ast === null || parsed.diagnostics.length > 0) return { diagnostics: parsed.diagnostics };
  const reporter = new Reporter();
  const elaborated = elaborateEnvironment(parsed.ast, host, reporter);
  if (elaborated === null || reporter.hasErrors) return { diagnostics: reporter.diagnostics };
  const { ir, index } = elaborated;
  const { manifest } = index;
  const blocks = parsed.ast.declarations.map((node) => kindOf(node).explain({ ir, index }, node).join('\n'));
  const changes = parsed.ast.declarations.filter((node) => node.$type !== 'Mission').length;
  const counts = manifest.groups.map((group) => `${group.name}: ${group.agents.length}`).join(', ');
  const { costPerStep } = lowerEnvironment(ir, index);
  const cost =
    costPerStep === null
      ? `Cost: more than ${limits.maxCostPerStep} instructions per step: too expensive to run`
      : `Cost: ${costPerStep} instructions per step and copy, of at most ${limits.maxCostPerStep}`;
  const lines = [
    `${parsed.ast.name} is ${manifest.title} (${manifest.name}, version ${manifest.version}; ${counts})${changes === 0 ? ', unchanged' : ''}`,
    manifest.doc,
    '',
    ...blocks.flatMap((block) => [block, '']),
    `Base reward, kept as it is: ${manifest.components.map((component) => component.name).join(', ')}`,
    cost,
    `Identity: ${identityOf(ir)}`,
  ];
  return { text: `${lines.join('\n')}\n` };
}
