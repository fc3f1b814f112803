import { kindOf } from '../declarations/registry.ts';
import type { Declaration } from '../generated/ast.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import type { Reporter } from '../reporter.ts';
import type { DeclarationKindName } from '../types.ts';
import { programKinds, reportedAs } from './taken-names.ts';

/** Reports names that are declared twice, or that the scenario reports something under itself. */
export function refuseNames(
  declarations: readonly Declaration[],
  index: ManifestIndex,
  reporter: Reporter,
): void {
  const seen = new Map<string, DeclarationKindName>();
  for (const node of declarations) {
    const { keyword } = kindOf(node);
    if (keyword === 'set' || keyword === 'without') continue;
    const name = kindOf(node).nameOf(node);
    const place = name === '' || keyword === 'capacity' ? { node } : { node, property: 'name' };
    const space = programKinds.has(keyword) ? 'program' : keyword;
    const earlier = seen.get(`${space} ${name}`);
    if (earlier === undefined) seen.set(`${space} ${name}`, keyword);
    else {
      const kinds = earlier === keyword ? '' : ` (as ${earlier} and ${keyword})`;
      reporter.report('EDL209', place, `'${name === '' ? keyword : name}' is declared twice${kinds}`);
    }
    const reported = space === 'program' ? reportedAs(index, name) : null;
    if (reported !== null) reporter.report(reported.code, place, `'${name}' is ${reported.what}`);
  }
}
