import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { experimentFolder, listTasks, readExperiment } from '../../../bench/evidence/kept.ts';
import { compile, flatten } from '../../../src/engine/edl/index.ts';
import { learnerCatalogue } from '../../../src/engine/learn/index.ts';
import { parseExperiment } from '../../../src/engine/runs/index.ts';
import { scenarioNames } from '../../../src/engine/sim/index.ts';
import { simHost } from '../../support/sim-host.ts';

const edlHost = simHost();
const folders = [experimentFolder, join(import.meta.dirname, '../../../resources')];

function readText(path: string): string | null {
  const file = folders.map((folder) => join(folder, path)).find(existsSync);
  return file === undefined ? null : readFileSync(file, 'utf8');
}

const check = (task: string) =>
  parseExperiment(readExperiment(task), `experiments/${task}.yaml`, {
    readText,
    // A model is not part of the repository.
    exists: (path) => path.startsWith('models/') || readText(path) !== null,
    scenarios: scenarioNames,
    edl: {
      compile: (text) => compile(text, edlHost),
      flatten: (text, path, readBase) => flatten(text, { ...edlHost, text: readBase }, path),
    },
    learners: learnerCatalogue,
  });

describe('the evidence studies', () => {
  test.each(listTasks())(
    '%s has no problems, five seeds, and an arm without a coach to compare with',
    (task) => {
      const { experiment, problems } = check(task);
      expect(problems).toEqual([]);
      expect(experiment?.name).toBe(task);
      expect(experiment?.seeds.length).toBeGreaterThanOrEqual(5);
      expect(experiment?.arms[0]?.coach.provider).toBe('none');
    },
  );
});
