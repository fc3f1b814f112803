import {
  type LearnerAlgorithm,
  type LearnerConfig,
  learnerAlgorithms,
  learnerConfig,
  settingsOf,
} from '../../shared/rl/learner-config.ts';
import type { LearnerCatalogue } from '../learn/index.ts';
import { type Path, suggest } from '../yaml/index.ts';
import type { LearnerBlock } from './experiment-schema.ts';
import type { CheckContext } from './load-environment.ts';

const defaultAlgorithm: LearnerAlgorithm = 'ippo';

/** A block as it stands in the file, and where. */
interface PlacedBlock {
  readonly block: LearnerBlock;
  readonly place: Path;
}

/**
 * An arm's learner: the values of a preset, or an algorithm's defaults, under the settings of the file's block and of the
 * arm's own. Settings stand over presets wherever they are written; the common ones that an arm's algorithm does not have
 * are left out there. Null once the reason is reported.
 */
export function resolveLearner(context: CheckContext, arm: number): LearnerConfig | null {
  const { file, host } = context;
  const common: PlacedBlock = { block: file.learner ?? {}, place: ['learner'] };
  const own: PlacedBlock = { block: file.arms?.[arm]?.learner ?? {}, place: ['arms', arm, 'learner'] };
  const base = baseOf(context, host.learners, common, own);
  if (base === null) return null;
  const { algorithm } = base;
  const known = settingsOf(algorithm);
  for (const key of settingsIn(own.block)) {
    if (known[key] === undefined) reportStray(context, [...own.place, key], key, algorithm);
  }
  const given = { ...pick(common.block, known), ...pick(own.block, known) };
  const { success, data } = learnerConfig.safeParse({ ...base, ...given, algorithm });
  return success ? data : null;
}

/** Common settings that none of the arms' algorithms has. */
export function reportUnusedSettings(context: CheckContext, configs: readonly LearnerConfig[]): void {
  const { file, report } = context;
  for (const key of settingsIn(file.learner ?? {})) {
    if (configs.length === 0 || configs.some(({ algorithm }) => settingsOf(algorithm)[key] !== undefined))
      continue;
    const names = [...new Set(configs.map(({ algorithm }) => algorithm))];
    if (names.length === 1) reportStray(context, ['learner', key], key, names[0] as LearnerAlgorithm);
    else report(['learner', key], `is a setting of none of ${names.join(', ')}`);
  }
}

function baseOf(
  { report }: CheckContext,
  { defaults, presets }: LearnerCatalogue,
  common: PlacedBlock,
  own: PlacedBlock,
): LearnerConfig | null {
  const from = own.block.preset !== undefined ? own : common;
  const name = own.block.algorithm !== undefined && from === common ? undefined : from.block.preset;
  const algorithm = own.block.algorithm ?? (from === own ? undefined : common.block.algorithm);
  if (name === undefined) return defaults[algorithm ?? common.block.algorithm ?? defaultAlgorithm];
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset === undefined) {
    report([...from.place, 'preset'], `there is no preset "${name}"${suggest(name, Object.keys(presets))}`);
    return null;
  }
  if (algorithm !== undefined && algorithm !== preset.config.algorithm) {
    report(
      [...from.place, 'preset'],
      `preset "${name}" is for ${preset.config.algorithm}, the algorithm is ${algorithm}; leave one of them out`,
    );
    return null;
  }
  return preset.config;
}

function settingsIn({ preset: _preset, algorithm: _algorithm, ...settings }: LearnerBlock): string[] {
  return Object.keys(settings);
}

function pick(block: LearnerBlock, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(block).filter(([key, value]) => value !== undefined && known[key] !== undefined),
  );
}

function reportStray({ report }: CheckContext, place: Path, key: string, algorithm: LearnerAlgorithm): void {
  const having = learnerAlgorithms.filter((each) => settingsOf(each)[key] !== undefined);
  report(
    place,
    `${algorithm} has no setting "${key}"; ${having.join(', ')} ${having.length > 1 ? 'have' : 'has'} it`,
  );
}
