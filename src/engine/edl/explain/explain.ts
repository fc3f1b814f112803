import { checkText, internalDiagnostic } from '../check-text.ts';
import { kindOf } from '../declarations/registry.ts';
import { identityOf } from '../identity.ts';
import { lowerEnvironment } from '../lower/program.ts';
import type { EdlHost, TextResult } from '../types.ts';
import { explainCost, explainDifference, explainPlayers } from './summary.ts';

/**
 * What an environment changes against its scenario, within which bounds and at which cost, in plain words.
 * A text with errors is given back as its diagnostics. Throws: never.
 */
export function explain(text: string, host: EdlHost, path?: string): TextResult {
  try {
    return explainParsed(text, host, path);
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)] };
  }
}

function explainParsed(text: string, host: EdlHost, path?: string): TextResult {
  const { reporter, checked } = checkText(text, host, path);
  if (checked === null || reporter.hasErrors) return { diagnostics: reporter.sorted() };
  const { ast, declarations, origins } = checked.resolved;
  const { ir, index } = checked.elaborated;
  const { manifest } = index;
  const blocks = declarations.map((node) => {
    const [headline = '', ...lines] = kindOf(node).explain({ ir, index }, node);
    const origin = origins.get(node);
    return [origin === undefined ? headline : `${headline} (from ${origin})`, ...lines].join('\n');
  });
  const dropped = ast.declarations.filter((node) => node.$type === 'Without');
  blocks.push(...dropped.map((node) => kindOf(node).explain({ ir, index }, node).join('\n')));
  const lines = [
    `${ast.name}${ast.base === undefined ? '' : ` extends ${ast.base} and`} is ${manifest.title} (${manifest.name}, version ${manifest.version}).`,
    manifest.doc,
    explainDifference([...declarations, ...dropped]),
    explainPlayers(ir, index),
    '',
    ...blocks.flatMap((block) => [block, '']),
    `Base reward, kept as it is: ${manifest.components.map((component) => component.name).join(', ')}`,
    explainCost(lowerEnvironment(ir, index)),
    `Identity: ${identityOf(ir)}`,
  ];
  return { text: `${lines.join('\n')}\n` };
}
