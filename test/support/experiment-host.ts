import { compile, flatten } from '../../src/engine/edl/index.ts';
import { learnerCatalogue } from '../../src/engine/learn/index.ts';
import { parseExperiment } from '../../src/engine/runs/index.ts';
import { scenarioNames } from '../../src/engine/sim/index.ts';
import { simHost } from './sim-host.ts';

const host = simHost();

/** A checked experiment over files in memory and the real scenarios; problems as "place: message". */
export function experimentWith(file: object, files: Readonly<Record<string, string>> = {}) {
  const read = new Set<string>();
  const readText = (path: string): string | null => {
    const text = files[path];
    if (text !== undefined) read.add(path);
    return text ?? null;
  };
  const whole = { name: 'e', budget: { steps: 1_000_000, rounds: 4 }, seeds: [1], ...file };
  const { experiment, problems } = parseExperiment(JSON.stringify(whole), 'e.yaml', {
    readText,
    exists: (path) => path in files,
    scenarios: scenarioNames,
    edl: {
      compile: (text) => compile(text, host),
      flatten: (text, path, readBase) => flatten(text, { ...host, text: readBase }, path),
    },
    learners: learnerCatalogue,
  });
  return { experiment, read, problems: problems.map(({ place, message }) => `${place}: ${message}`) };
}
