import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { spellParameter } from '../../edl/index.ts';
import type { DeclarationInfo } from '../../edl/types.ts';
import {
  type AdditionTemplate,
  relationTemplates,
  rewardTemplates,
  ruleTemplates,
} from './addition-templates.ts';
import { draftCurriculum } from './curriculum-edits.ts';
import { scaleReward, withOption } from './declaration-text.ts';
import {
  type DraftContext,
  type DraftEdit,
  declarationsOf,
  describe,
  draftModification,
  hintOf,
  impact,
  maxOptions,
} from './draft.ts';
import { isTopLevel, meant, type Setting, settable, settingFamilies } from './parameters.ts';
import { quantity } from './quantity.ts';
import { draftAdjustments, draftConstraints, draftEvents } from './world-edits.ts';
import { type WorldScale, worldScale } from './world-scale.ts';

/** Every edit of the catalogue that the coach may make, in a fixed order: by kind, then as declared, then by value. */
export function draftEdits(context: DraftContext): DraftEdit[] {
  const isAllowed = ({ change }: DraftEdit): boolean =>
    context.may.some((kind) => change.target.startsWith(`${kind} `));
  return wholeCatalogue(context).filter(isAllowed);
}

function wholeCatalogue(context: DraftContext): DraftEdit[] {
  const { manifest } = context.environment;
  const { group } = context.objective;
  const scale = worldScale(manifest);
  const inFamily =
    (family: string) =>
    (edit: DraftEdit): DraftEdit => ({ ...edit, family });
  return [
    ...draftRemovals(context, ['reward', 'rule', 'event', 'constraint']),
    ...draftRewardEdits(context),
    ...draftAdditions(context, 'reward', rewardTemplates(manifest, group, scale)).map(
      inFamily('where agents are'),
    ),
    ...draftAdditions(context, 'reward', relationTemplates(manifest, group, scale)).map(
      inFamily('what agents do'),
    ),
    ...settingFamilies(settable(context).filter(isTopLevel(context))).flatMap(([family, settings]) =>
      draftSettings(context, settings).map(inFamily(family)),
    ),
    ...draftWorld(context, scale),
  ];
}

function draftWorld(context: DraftContext, scale: WorldScale): DraftEdit[] {
  const { manifest } = context.environment;
  return [
    ...draftAdditions(context, 'rule', ruleTemplates(manifest, context.objective.group, scale)),
    ...draftEvents(context),
    ...draftConstraints(context, scale),
    ...draftAdjustments(context),
    ...draftCurriculum(context),
  ];
}

function draftRemovals(context: DraftContext, kinds: readonly DeclarationInfo['kind'][]): DraftEdit[] {
  return kinds
    .flatMap((kind) => declarationsOf(context, kind))
    .slice(0, maxOptions)
    .map((declaration) => draftRemoval(context, declaration));
}

function draftRewardEdits(context: DraftContext): DraftEdit[] {
  const rewards = declarationsOf(context, 'reward').slice(0, maxOptions);
  return [
    ...rewards.flatMap((reward) => draftScalings(context, reward)),
    ...rewards.flatMap((reward) => draftDecays(context, reward)),
    ...rewards.flatMap((reward) => draftLimits(context, reward)),
  ];
}

function draftRemoval(context: DraftContext, declaration: DeclarationInfo): DraftEdit {
  const { target } = declaration;
  return {
    kind: 'remove',
    target,
    value: '',
    change: {
      op: 'remove',
      target,
      edl: '',
      description: `Remove ${describe(declaration)}.`,
      implementation_hint: hintOf(declaration),
      expected_impact: impact(context, 'large', `${target} may mislead the agents`),
    },
  };
}

const scaleFactors = [0.1, 0.25, 0.5, 2, 4] as const;

function draftScalings(context: DraftContext, reward: DeclarationInfo): DraftEdit[] {
  return scaleFactors.map((factor) =>
    draftModification(context, reward, {
      kind: 'scale',
      value: `times ${factor}`,
      edl: scaleReward(reward.text, factor),
      description: `Multiply ${describe(reward)} by ${factor}.`,
      size: factor <= 0.25 || factor >= 4 ? 'large' : 'medium',
      why:
        factor < 1
          ? `${reward.target} outweighs other rewards`
          : `${reward.target} is too weak to be noticed`,
    }),
  );
}

const decayShares = [0.05, 0.1, 0.25] as const;

function draftDecays(context: DraftContext, reward: DeclarationInfo): DraftEdit[] {
  return decayShares.map((share) => {
    const steps = roundSteps(context.budgetSteps * share);
    return draftModification(context, reward, {
      kind: 'decay',
      value: `half every ${steps} steps`,
      edl: withOption(reward.text, 'decay', `decay half every ${steps} steps`),
      description: `Let ${describe(reward)} fade: half every ${steps} steps.`,
      size: 'medium',
      why: `${reward.target} helps at first and distracts later`,
    });
  });
}

/** One significant digit: a half-life need not be more exact. */
function roundSteps(steps: number): number {
  return Math.max(1000, Number(steps.toPrecision(1)));
}

const limitPercents = [2, 5, 10, 20] as const;

function draftLimits(context: DraftContext, reward: DeclarationInfo): DraftEdit[] {
  return limitPercents.map((percent) =>
    draftModification(context, reward, {
      kind: 'limit',
      value: `${percent} % of nominal`,
      edl: withOption(reward.text, 'limit', `limit ${percent}% of nominal`),
      description: `Limit ${describe(reward)} to ${percent} % of the nominal return.`,
      size: percent <= 5 ? 'large' : 'medium',
      why: `${reward.target} must not outweigh the scenario's own reward`,
    }),
  );
}

function draftAdditions(
  context: DraftContext,
  kind: 'reward' | 'rule',
  templates: readonly AdditionTemplate[],
): DraftEdit[] {
  const taken = new Set(declarationsOf(context, kind).map(({ name }) => name));
  return (
    templates
      // What is declared already can be scaled; a second one would only be its double.
      .filter(({ name }) => !taken.has(name))
      .slice(0, maxOptions)
      .flatMap((template) => {
        const { name } = template;
        return template.values.map(
          (value): DraftEdit => ({
            kind: kind === 'reward' ? 'addReward' : 'addRule',
            target: template.doc,
            value: kind === 'reward' ? `weight ${value}` : `times ${value}`,
            change: {
              op: 'add',
              target: `${kind} ${name}`,
              edl: template.write(name, value),
              description: `Add ${kind} ${name} (${template.doc}).`,
              implementation_hint: template.primitives[0] ?? name,
              expected_impact: impact(context, template.size(value), template.doc),
            },
          }),
        );
      })
  );
}

function draftSettings(context: DraftContext, settings: readonly Setting[]): DraftEdit[] {
  return settings.flatMap((setting) =>
    settingValues(setting).map((value) => draftSetting(context, setting, value)),
  );
}

const factorsOfCurrent = [0.5, 0.8, 1.25, 2] as const;
/** Of a parameter's range, where it is 0. */
const zeroShares = [0.02, 0.1, 0.25] as const;

function settingValues({ parameter, effective: current }: Setting): number[] {
  const { kind, min, max, choices, default: standard } = parameter;
  /** Those that differ from what is in force and from each other: a default may stand for another value. */
  const distinct = (values: readonly number[]): number[] => {
    const seen = new Set([current]);
    return values.filter((value) => {
      const isNew = !seen.has(meant(parameter, value));
      seen.add(meant(parameter, value));
      return isNew;
    });
  };
  if (kind === 'bool') return [1 - current];
  if (kind === 'choice') return distinct([...choices.keys()]).slice(0, maxOptions);
  // Of nothing, multiples are nothing.
  const near =
    current === 0
      ? zeroShares.map((share) => min + share * (max - min))
      : factorsOfCurrent.map((factor) => current * factor);
  const wanted = [standard, ...near, (min + max) / 2];
  const fitted = wanted
    .map((value) => Math.min(max, Math.max(min, value)))
    .map((value) => (kind === 'int' ? Math.round(value) : Number(value.toPrecision(3))))
    .filter((value) => value >= min && value <= max);
  return distinct(fitted)
    .sort((a, b) => a - b)
    .slice(0, maxOptions);
}

function settingText(parameter: ManifestParameter, value: number): string {
  const isNamed = parameter.kind === 'bool' || parameter.kind === 'choice';
  return isNamed ? spellParameter(parameter, value) : quantity(parameter, value);
}

function draftSetting(context: DraftContext, { parameter, inForce }: Setting, value: number): DraftEdit {
  const target = `set ${parameter.name}`;
  const isSet = context.environment.declarations.some((declaration) => declaration.target === target);
  const text = settingText(parameter, value);
  return {
    kind: 'set',
    target: parameter.name,
    value: text,
    change: {
      op: isSet ? 'modify' : 'add',
      target,
      edl: `set ${parameter.name} = ${text}`,
      description: `Set ${parameter.name} from ${settingText(parameter, inForce)} to ${text}.`,
      implementation_hint: parameter.name,
      expected_impact: impact(context, 'medium', parameter.doc),
    },
  };
}
