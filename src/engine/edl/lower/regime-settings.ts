import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { convert, measureOf } from '../dimension.ts';
import type { RegimeIr } from '../ir.ts';
import { appliesTo } from '../manifest-index.ts';
import type { LoweringScope } from './entities.ts';
import type { NodeId } from './graph.ts';
import { stepNode } from './recent.ts';
import type { TrueRegime } from './regimes.ts';
import type { Action } from './schedule.ts';

type Setting = RegimeIr['settings'][number];
type Live = NonNullable<ManifestParameter['live']>;

/** What a regime sets while it holds: bases of attributes, reached in a ramp. When it is left nothing remains of it. */
export function lowerSettings(
  scope: LoweringScope,
  regime: RegimeIr,
  { entered }: TrueRegime,
  holds: NodeId,
): Action[] {
  const share = rampShare(scope, entered, regime.rampSteps);
  return regime.settings.flatMap((setting) => lowerSetting(scope, setting, share, holds));
}

/** How much of a ramp lies behind, 0 to 1; null: there is none. */
function rampShare(scope: LoweringScope, entered: NodeId, rampSteps: number): NodeId | null {
  if (rampSteps === 0) return null;
  const { graph } = scope;
  const age = graph.make('SUB', stepNode(scope), entered);
  return graph.make('MIN', graph.make('DIV', age, graph.number(rampSteps)), graph.number(1));
}

function lowerSetting(scope: LoweringScope, setting: Setting, share: NodeId | null, holds: NodeId): Action[] {
  const { graph, index } = scope;
  const parameter = index.parameters.get(setting.parameter);
  const live = parameter?.live ?? null;
  if (parameter === undefined || live === null) throw new RangeError(`${setting.parameter} is not live`);
  // There is nothing between two choices: they change at once.
  const way = parameter.kind === 'choice' ? null : share;
  const { kind, members } = membersOf(scope, live);
  const attribute = index.attributes[kind].get(live.attribute);
  if (attribute === undefined) throw new RangeError(`no attribute ${live.attribute}`);
  const { stepSeconds } = index.manifest;
  const wanted = convert(
    setting.value,
    measureOf(parameter.unit, stepSeconds),
    measureOf(attribute.unit, stepSeconds),
  );
  const base = graph.number(scope.table.parameters.get(parameter.name) ?? parameter.default);
  return members.flatMap((entity, i): Action[] => {
    if (!appliesTo(index, attribute, entity)) return [];
    const value =
      live.mode === 'count'
        ? graph.make('LT', graph.number(i), towards(scope, base, setting.value, way))
        : towards(scope, graph.make('LOAD', attribute.id, entity), wanted, way);
    return [{ op: 'BASE', dst: attribute.id, a: entity, b: value, c: holds }];
  });
}

function membersOf({ index }: LoweringScope, live: Live) {
  const set = index.sets.get(live.set);
  if (set === undefined) throw new RangeError(`no set ${live.set}`);
  return { kind: set.kind, members: set.entities };
}

/** On the way from what it is to what is wanted; exactly what is wanted once the ramp is over. */
function towards({ graph }: LoweringScope, base: NodeId, value: number, share: NodeId | null): NodeId {
  const wanted = graph.number(value);
  if (share === null) return wanted;
  const between = graph.make('ADD', base, graph.make('MUL', graph.make('SUB', wanted, base), share));
  return graph.select(graph.make('LT', share, graph.number(1)), between, wanted);
}
