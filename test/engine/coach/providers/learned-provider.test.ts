import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editFeatures } from '../../../../src/engine/coach/learned/edit-features.ts';
import { fit } from '../../../../src/engine/coach/learned/learn-ranker.ts';
import { likingFeatures } from '../../../../src/engine/coach/learned/liking-features.ts';
import { layOutRanker } from '../../../../src/engine/coach/learned/ranker-file.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import { coachConfig, coachDependencies, roundContext } from '../../../support/coach-world.ts';
import { removal, rescaled, snapshotOf } from '../../../support/experience.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Of the model that `fakeModel` is. */
const fake = 'f'.repeat(64);

/** A ranker that was taught that changing a reward helps, the more the better a model liked it, and removing one does not. */
function writeRanker(model: string): string {
  const snapshot = snapshotOf();
  const examples = [-2, -1, 0, 1, 2].flatMap((value) =>
    [rescaled(-0.1), removal].map((change) => ({
      ...{ study: change.op, gain: value, label: change.op === 'remove' ? 0 : (value + 4) / 6 },
      features: { ...editFeatures(snapshot, change), ...likingFeatures({ model, value }) },
    })),
  );
  const { name, text } = layOutRanker(fit(examples));
  const folder = join(temporaryFolder(), 'rankers');
  mkdirSync(folder);
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function ask(model: string, scorer: string | undefined, liked = '') {
  const models = fakeModel({
    like: (option, isInformed) => (isInformed && liked !== '' && option.includes(liked) ? -1 : -2),
  });
  const deps = coachDependencies({ models });
  const named = { ...coachConfig, provider: 'learned', model, candidates: 1 } as const;
  const config = scorer === undefined ? named : { ...named, scorer };
  const reason = { trigger: 'interval', detail: 'every round' } as const;
  const [proposal] = await createCoachPipeline(deps).ask(
    roundContext({ config }),
    reason,
    new AbortController().signal,
  );
  return { proposal, models, calls: deps.store.modelCalls.listByProposal(proposal?.proposalId ?? '') };
}

describe('provider learned with a scorer', () => {
  test('proposes what the model likes best of the edits that are best by the rest', async () => {
    const path = writeRanker(fake);
    const chosen = async (liked: string) =>
      (await ask(path, 'm.gguf', liked)).proposal?.body?.changes[0]?.edl;
    const [weaker, stronger] = [await chosen('times 0.1'), await chosen('times 0.25')];
    expect(weaker).toMatch(/give +-0\.1 /);
    expect(stronger).toMatch(/give +-0\.25 /);
  });

  test('has the questions on record, and asks about eight edits at most', async () => {
    const { calls, models } = await ask(writeRanker(fake), 'm.gguf');
    expect(calls.length).toBeGreaterThan(0);
    expect(models.scored.length / 2).toBeLessThanOrEqual(3 * 8);
    expect(calls).toHaveLength(models.scored.length / 2);
  });

  test('without one nobody is asked', async () => {
    const { proposal, models } = await ask(writeRanker(fake), undefined);
    expect(proposal).toMatchObject({ provider: 'learned', state: 'validated' });
    expect(models.scored).toEqual([]);
  });

  test('refuses a model of whose likings the ranker was taught nothing', async () => {
    const { proposal, models } = await ask(writeRanker('c'.repeat(64)), 'm.gguf');
    expect(proposal).toMatchObject({
      ...{ state: 'failed', details: { failure: { code: 'input.invalid' } } },
    });
    expect(models.scored).toEqual([]);
  });
});
