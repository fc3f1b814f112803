import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../../shared/std/app-error.ts';
import { readDocument } from '../../yaml/index.ts';

const planted = z.strictObject({
  worlds: z.record(
    z.string(),
    z.strictObject({
      scenario: z.string(),
      group: z.string(),
      opponents: z.record(z.string(), z.string()),
      mission: z.string(),
      issue: z.string(),
      patience: z.int().positive().default(1),
    }),
  ),
  defects: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z-]+$/),
      world: z.string(),
      fault: z.string(),
      at: z.string(),
      text: z.string(),
    }),
  ),
});

/** An environment with something wrong in it, and what it is scored by. */
export interface PlantedDefect {
  readonly name: string;
  readonly scenario: string;
  /** What is wrong, in two or three words. */
  readonly fault: string;
  /** Target of the declaration that is wrong. */
  readonly at: string;
  /** Who learns and is scored, by its return. */
  readonly group: string;
  readonly opponents: Readonly<Record<string, string>>;
  readonly text: string;
  /** Times as long as usual that an option is trained in: where a short training tells nothing. */
  readonly patience: number;
  /** The scenario as it is. */
  readonly objectiveText: string;
}

/** The defects of a file, in its order. Throws: input.invalid, naming what is wrong. */
export function readPlantedDefects(path: string): PlantedDefect[] {
  const { value, problems } = readDocument(readFileSync(path, 'utf8'));
  const parsed = planted.safeParse(value);
  if (problems.length > 0 || !parsed.success) {
    const why = problems[0]?.message ?? parsed.error?.issues[0]?.message ?? '';
    throw new AppError('input.invalid', `${path} holds no planted defects: ${why}`);
  }
  const { worlds, defects } = parsed.data;
  return defects.map(({ name, world, fault, at, text }) => {
    const found = worlds[world];
    if (found === undefined) throw new AppError('input.invalid', `${path}: ${name} is of no known world`);
    const { scenario, group, opponents, mission, issue, patience } = found;
    const lines = [
      `  mission "${mission}"`,
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
      `  ${issue}`,
    ];
    return {
      ...{ name, scenario, fault, at, group, opponents, patience },
      text: `environment planted extends ${scenario} {\n${lines.join('\n')}\n}\n`,
      objectiveText: `environment as_it_is extends ${scenario} {\n}\n`,
    };
  });
}
