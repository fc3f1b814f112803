import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { block } from './addition-templates.ts';
import { formatNumber, scaleNumberAfter } from './declaration-text.ts';
import {
  currentStage,
  type DraftContext,
  type DraftEdit,
  declarationsOf,
  describe,
  draftModification,
  impact,
} from './draft.ts';
import { type Setting, settable, settingFamilies } from './parameters.ts';
import { quantity } from './quantity.ts';

/** Parameters of a sort that a first stage is made of at most; stages that may be left out. */
const maxParameters = 4;

/** Sorts of parameters of a first stage: what is there already asks for room in the same question, three sorts of it. */
const maxFamilies = 5;

/** When an easier stage is over: a share of the tasks that are solved in it, twice in a row. */
const threshold = '50%';

const thresholdFactors = [0.5, 0.8, 1.25] as const;

/**
 * Edits of the curriculum. Without stages: a first one with one parameter halved or doubled, and the world as it is after it.
 * With stages: the end of the one that holds sooner or later, and one that is left out.
 */
export function draftCurriculum(context: DraftContext): DraftEdit[] {
  const stages = declarationsOf(context, 'stage');
  return stages.length === 0
    ? draftFirstStages(context)
    : [...draftThresholds(context), ...draftOmissions(context)].map((edit) => ({
        ...edit,
        family: 'a stage',
      }));
}

function draftFirstStages(context: DraftContext): DraftEdit[] {
  const { manifest } = context.environment;
  // A stage has to end: what is measured there, and what it comes to at best, has to be known.
  if (
    !manifest.metrics.some(({ name, better, max }) => name === 'success' && better === 'higher' && max === 1)
  )
    return [];
  const numbers = settable(context).filter(({ parameter: { kind } }) => kind === 'float' || kind === 'int');
  const draft = ({ parameter, effective }: Setting): DraftEdit[] =>
    [0.5, 2].flatMap((factor) => {
      const value = fitted(parameter, effective * factor);
      return value === effective ? [] : draftFirstStage(context, parameter, value);
    });
  return settingFamilies(numbers)
    .slice(0, maxFamilies)
    .flatMap(([family, settings]) =>
      settings
        .slice(0, maxParameters)
        .flatMap(draft)
        .map((edit) => ({ ...edit, family: `another ${family} at first` })),
    );
}

function fitted({ kind, min, max }: ManifestParameter, wanted: number): number {
  const value = Math.min(max, Math.max(min, wanted));
  return kind === 'int' ? Math.round(value) : Number(value.toPrecision(3));
}

function draftFirstStage(context: DraftContext, parameter: ManifestParameter, value: number): DraftEdit {
  const text = quantity(parameter, value);
  const doc = `Begins with ${parameter.name} = ${text}`;
  const expected_impact = impact(context, 'medium', 'what is hard is learned better from what is easy');
  return {
    kind: 'curriculum',
    target: `begin with another ${parameter.name}`,
    value: text,
    change: {
      op: 'add',
      target: 'stage warmup',
      edl: block(`stage warmup "${doc}"`, [
        `set ${parameter.name} = ${text}`,
        `until success > ${threshold}`,
        'for 2 evaluations',
      ]),
      description: `Add stage warmup (${doc}).`,
      implementation_hint: parameter.name,
      expected_impact,
    },
    also: [
      {
        op: 'add',
        target: 'stage whole',
        edl: block('stage whole "The world as it is"', []),
        description: 'Add stage whole (The world as it is).',
        implementation_hint: 'whole',
        expected_impact,
      },
    ],
  };
}

function draftThresholds(context: DraftContext): DraftEdit[] {
  const { stages, index } = currentStage(context);
  const stage = stages[index];
  if (stage === undefined || index === stages.length - 1) return [];
  return thresholdFactors.flatMap((factor) => {
    const rising = scaleNumberAfter(stage.text, ['until', '>'], factor);
    const edl = rising ?? scaleNumberAfter(stage.text, ['until', '<'], factor);
    const isLater = factor > 1 === (rising !== null);
    return edl === null
      ? []
      : draftModification(context, stage, {
          kind: 'curriculum',
          value: `threshold times ${formatNumber(factor)}`,
          edl,
          description: `Let ${describe(stage)} end ${isLater ? 'later' : 'sooner'}: its threshold times ${factor}.`,
          size: 'small',
          why: isLater
            ? `${stage.target} is not learned yet when it ends`
            : `${stage.target} teaches nothing more`,
        });
  });
}

/** The stage that holds, and those to come but for the last. */
function draftOmissions(context: DraftContext): DraftEdit[] {
  const { stages, index } = currentStage(context);
  return stages
    .slice(index, -1)
    .slice(0, maxParameters)
    .map(
      (stage): DraftEdit => ({
        kind: 'curriculum',
        target: stage.target,
        value: 'left out',
        change: {
          op: 'remove',
          target: stage.target,
          edl: '',
          description: `Leave out ${describe(stage)}.`,
          implementation_hint: stage.name,
          expected_impact: impact(
            context,
            'medium',
            `${stage.target} teaches nothing that the next stage needs`,
          ),
        },
      }),
    );
}
