import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyChanges, compile, flatten } from '../../../src/engine/edl/index.ts';
import { learnerCatalogue } from '../../../src/engine/learn/index.ts';
import { parseExperiment } from '../../../src/engine/runs/index.ts';
import type { EdlServices } from '../../../src/engine/runs/services.ts';
import { createExperimentHost, type ReadTexts } from '../../../src/engine/runs/workspace-host.ts';
import { scenarioNames } from '../../../src/engine/sim/index.ts';
import { simHost } from '../../support/sim-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const host = simHost();
const edl: EdlServices = {
  compile: (text) => compile(text, host),
  applyChanges: (text, changes) => applyChanges(text, changes, host),
  flatten: (text, path, readText) => flatten(text, { ...host, text: readText }, path),
  scenarios: scenarioNames,
};

const plain = 'environment own extends simple_spread {\n}\n';

/** A workspace in which links lead to files and a folder beside it, and to one of its own. */
function linkedWorkspace() {
  const folder = temporaryFolder();
  const [root, outside] = [join(folder, 'workspace'), join(folder, 'outside')];
  for (const each of [root, join(root, 'environments'), join(root, 'prompts'), outside]) mkdirSync(each);
  writeFileSync(join(outside, 'out.edl'), plain.replace('own', 'theirs'));
  writeFileSync(join(outside, 'secret.md'), 'The secret is {{secret}}.');
  writeFileSync(join(root, 'environments', 'own.edl'), plain);
  writeFileSync(join(root, 'environments', 'extending.edl'), 'environment e extends "link.edl" {\n}\n');
  writeFileSync(join(root, 'models.gguf'), '');
  symlinkSync('../../outside/out.edl', join(root, 'environments', 'link.edl'));
  symlinkSync('../../outside/none.edl', join(root, 'environments', 'dangling.edl'));
  symlinkSync('own.edl', join(root, 'environments', 'inner.edl'));
  symlinkSync('../outside', join(root, 'shared'));
  symlinkSync('../../outside/secret.md', join(root, 'prompts', 'link.md'));
  return root;
}

function check(file: object) {
  const read: ReadTexts = new Map();
  const options = { edl, learners: learnerCatalogue, checkPrompt: (text: string) => [text] };
  const { problems } = parseExperiment(
    JSON.stringify({
      ...{ name: 'e', environment: 'simple_spread', budget: { steps: 1_000_000, rounds: 2 }, seeds: [1] },
      ...{ objective: { metric: 'coverage', group: 'agent' }, ...file },
    }),
    'e.yaml',
    createExperimentHost(linkedWorkspace(), options, read),
  );
  return { read: [...read.keys()], problems: problems.map(({ place, message }) => `${place}: ${message}`) };
}

describe('what an experiment names', () => {
  test('may be a link within the workspace', () => {
    expect(check({ environment: 'environments/inner.edl' })).toEqual({
      problems: [],
      read: ['environments/inner.edl'],
    });
  });

  test.each(['environments/link.edl', 'environments/dangling.edl', 'shared/out.edl', 'shared/none.edl'])(
    'may not lead out of it by a link: %s',
    (environment) => {
      const { problems, read } = check({ environment, heldOut: [environment] });
      expect(problems[0]).toBe(
        `environment: "${environment}" leads out of the workspace by a link: put the file itself there`,
      );
      expect(read).toEqual([]);
    },
  );

  test('is not outside, however it is spelled', () => {
    for (const environment of ['../outside/out.edl', '/etc/passwd.edl', 'environments/../../outside/out.edl'])
      expect(check({ environment }).problems[0]).toContain(`there is no file "${environment}"`);
  });

  test('does not extend what a link leads to', () => {
    const { problems, read } = check({ environment: 'environments/extending.edl' });
    expect(problems.join('\n')).toContain('"environments/link.edl" leads out of the workspace by a link');
    expect(read).toEqual(['environments/extending.edl']);
  });

  test('is no prompt that a link leads to: nothing of it is told', () => {
    const coach = { provider: 'llama', lag: 0, model: 'models.gguf', prompt: 'prompts/link.md' };
    const { problems, read } = check({ coach });
    expect(problems).toEqual([
      'coach.prompt: "prompts/link.md" leads out of the workspace by a link: put the file itself there',
    ]);
    expect(read).toEqual([]);
  });
});
