import { elaborateLoops, elaborateWhen } from '../elaborate/block.ts';
import { readChance, readMoment } from '../elaborate/moment.ts';
import { warnUndefined } from '../elaborate/undefined.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Event } from '../generated/ast.ts';
import { elaborateEventAction, eventActionWords } from './event-action.ts';
import type { DeclarationKind } from './kind.ts';

/** `event NAME { every … when … with chance … spawn … }`: what the environment makes happen, and when. */
export const eventKind: DeclarationKind<Event> = {
  keyword: 'event',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ index }, node) {
    const clock = node.trigger === undefined ? [] : [oneLine(node.trigger)];
    const condition = node.condition === undefined ? [] : [node.condition];
    const when = [...clock, ...[...node.loops, ...condition, ...node.chances].map(oneLine)].join(', ');
    return [
      headline('event', node.name, node.doc),
      `  ${when}:`,
      ...node.actions.map((action) => `  ${oneLine(action)}${eventActionWords(index, action)}`),
    ];
  },
  dependsOn: ['episodeLength'],
  elaborate(draft, node) {
    const { context } = draft;
    if (node.trigger === undefined && node.condition === undefined) {
      const message = `event '${node.name}' does not say when: write 'every 200 steps', 'at step 100' or 'when …'`;
      context.reporter.report('EDL515', { node, property: 'name' }, message);
    }
    const clock =
      node.trigger === undefined
        ? ({ op: 'when' } as const)
        : readMoment(context, node.trigger, `event '${node.name}'`);
    const chance = readChance(context.reporter, node.chances);
    const scope = elaborateLoops(context, node.loops);
    if (scope === null) return;
    const condition = elaborateWhen(scope.context, node.condition);
    const actions = node.actions.map((action) => elaborateEventAction(scope.context, action));
    node.actions.forEach(({ amount }, i) => {
      const ir = actions[i]?.amount;
      if (amount !== undefined && ir) warnUndefined(scope.context, amount, ir, condition);
    });
    scope.finish();
    const found = actions.filter((action) => action !== null);
    if (clock === null || chance === null || condition === null || found.length < actions.length) return;
    const { loops } = scope;
    draft.events.push({ name: node.name, trigger: clock, chance, loops, condition, actions: found });
  },
};
