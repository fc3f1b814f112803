// Time to check EDL texts of 500 and 5,000 lines as the language thread does: whole, and after an edit of one declaration;
// and to complete in the middle of them.
import { AssistText, complete, readScene, semanticTokens } from '../src/engine/edl/assist/index.ts';
import { checkDocument, IncrementalParser } from '../src/engine/edl/index.ts';
import { scenarioHost } from '../src/engine/language/index.ts';
import { type Figure, median, printReport } from './figure.ts';

const repetitions = 15;
const warmUp = 5;

const group = (i: number): string => `
  reward approach_${i} "Each landmark draws whoever is nearest" {
    for l in landmark
    for a in agent
    when nearest(agent to l) == a and distance(a, l) > 0.1 m
    give -0.05 * distance(a, l) to a
    decay half every 500k steps
    limit 10% of nominal
  }

  // Wears off within the episode
  rule head_start_${i} "Agents are quicker in the first second" {
    for a in agent
    when time < 1 s and not any(b in ally(a) where distance(a, b) < 0.2 m)
    then a.accel *= 1.3
  }

  issue slow_${i} "Landmarks stay far from every agent" {
    when mean_distance > 0.5 m for 3 evaluations
  }
`;

/** Stages of a curriculum: most set what no declaration mentions, each tenth how long an episode is. */
const stage = (i: number): string => `
  stage stage_${i} {
    set agent.accel = ${(2 + i / 10).toFixed(1)}${i % 10 === 9 ? `\n    set episode.length = ${30 + i}` : ''}
    until mean_distance < 0.5 m for 2 evaluations
  }
`;

function textOf(lines: number, numStages = 0): string {
  const groups = Array.from({ length: Math.round(lines / 20) }, (_, i) => group(i));
  const stages = Array.from({ length: numStages }, (_, i) => stage(i));
  return `environment bench extends simple_spread {\n${[...groups, ...stages].join('')}}\n`;
}

/** Medians, the first runs left out: the thread that checks has been running for a while. */
function measure(work: (i: number) => void): { value: number; all: number[] } {
  const all: number[] = [];
  for (let i = 0; i < warmUp + repetitions; i++) {
    const started = performance.now();
    work(i);
    if (i >= warmUp) all.push(performance.now() - started);
  }
  return { value: median(all), all };
}

function check(parser: IncrementalParser, text: string, isSound: boolean): void {
  const { costPerStep } = checkDocument(parser, text, {
    host: scenarioHost,
    path: 'bench.edl',
    checkpoint: () => undefined,
  });
  if ((costPerStep !== null) !== isSound) throw new Error('the text checks to something else than meant');
}

const figures: Figure[] = [];
const detail: Record<string, number[]> = {};

function add(name: string, atMost: number, work: (i: number) => void): void {
  const { value, all } = measure(work);
  figures.push({ name, value, unit: 'ms', aim: { atMost } });
  detail[name] = all;
}

for (const [lines, full, edit] of [
  [500, 50, 50],
  [5000, 250, 150],
] as const) {
  const text = textOf(lines);
  const shown = lines.toLocaleString('en');
  add(`${shown} lines, full check`, full, () => check(new IncrementalParser(), text, true));
  const parser = new IncrementalParser();
  const middle = `head_start_${Math.round(lines / 40)} `;
  const edited = (i: number, by: string): string => {
    const at = text.indexOf('*= 1.3', text.indexOf(middle));
    return `${text.slice(0, at)}*= 1.${i}${by}${text.slice(at + 6)}`;
  };
  add(`${shown} lines, after an edit`, edit, (i) => check(parser, edited(i + 1, ''), true));
  add(`${shown} lines, after an edit that does not parse`, edit, (i) =>
    check(parser, edited(i + 1, ' +'), false),
  );
  add(`${shown} lines, completion`, 50, (i) => {
    const view = new AssistText(edited(i + 1, ' '));
    const at = view.text.indexOf(`*= 1.${i + 1} `) + 4;
    if (complete(readScene(view, scenarioHost, null), view.lines.position(at)).length === 0)
      throw new Error('nothing to complete');
  });
  add(`${shown} lines, colours`, 100, (i) => {
    semanticTokens(readScene(new AssistText(edited(i + 1, '')), scenarioHost, null));
  });
}

const curriculum = textOf(5000, 31);
add('5,000 lines and 31 stages, full check', 250, () => check(new IncrementalParser(), curriculum, true));
const parser = new IncrementalParser();
add('5,000 lines and 31 stages, after an edit', 150, (i) =>
  check(parser, curriculum.replace('a.accel *= 1.3', `a.accel *= 1.${i + 1}`), true),
);
printReport({ figures, detail: { repetitions: detail } });
