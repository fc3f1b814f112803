import type { Capacity } from '../generated/ast.ts';
import { formatNumber, parseNumber } from '../number-text.ts';
import type { DeclarationKind } from './kind.ts';

/** `capacity SET N`: room for members that edits, stages and regimes may add later; shapes follow it. */
export const capacityKind: DeclarationKind<Capacity> = {
  keyword: 'capacity',
  nameOf: (node) => node.set,
  docOf: () => '',
  explain({ index }, node) {
    const capacity = index.capacities.get(node.set);
    const count = capacity?.count ?? '';
    return [`capacity ${node.set} ${node.count}: ${count} may change up to it, shapes stay as they are`];
  },
  readParameters({ index, reporter, values }, node) {
    const capacity = index.capacities.get(node.set);
    const parameter = capacity === undefined ? undefined : index.parameters.get(capacity.capacity);
    if (parameter === undefined) {
      const place = { node, property: 'set' };
      reporter.reportUnknown('EDL205', place, 'set whose size can change', node.set, index.capacities.keys());
      return;
    }
    if (values.has(parameter.name)) {
      reporter.report('EDL210', { node }, `'${parameter.name}' is set already, which is this capacity`);
      return;
    }
    const count = parseNumber(node.count);
    const nearest = Math.min(parameter.max, Math.max(1, Math.round(count)));
    if (count !== nearest) {
      const message = `the capacity of '${node.set}' is a whole number from 1 to ${formatNumber(parameter.max)}`;
      reporter.report('EDL401', { node, property: 'count' }, message, [formatNumber(nearest)]);
      return;
    }
    values.set(parameter.name, count);
  },
};
