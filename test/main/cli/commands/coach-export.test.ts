import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/engine/store/index.ts';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { proposalBody, runRecord, studyRecord } from '../../../support/store-records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A workspace with two unrelated studies of one rejected proposal each. */
function workspace(): string {
  const root = temporaryFolder();
  const store = openStore(root);
  for (const [index, studyId] of ['first', 'second'].entries()) {
    const runId = `${studyId}.coached.1`;
    const experimentHash = store.texts.put(`name: ${studyId}\n`);
    store.studies.insert(studyRecord(store, { studyId, experimentHash, createdAt: 1000 + index }));
    store.runs.insert(runRecord({ runId, studyId, state: 'finished' }));
    const textHash = store.texts.put('{}');
    const snapshotId = `${runId}-s1`;
    store.snapshots.insert({ snapshotId, runId, round: 0, textHash, createdAt: 1 });
    const proposalId = `${runId}-p1-1`;
    const text = store.texts.put(`environment ${studyId} extends simple_spread {\n}\n`);
    store.rounds.begin({
      runId,
      round: 0,
      environmentHash: text,
      environmentIdentity: studyId,
      startedAt: 1,
    });
    const details = { reason: { trigger: 'interval', detail: '' }, failure: null };
    const promptHash = store.texts.put(`what to do about ${studyId}?`);
    const asked = { round: 0, candidate: 0, provider: 'llama', model: 'm', createdAt: 2 };
    store.proposals.insert({
      ...asked,
      proposalId,
      runId,
      snapshotId,
      promptHash,
      beforeHash: text,
      details,
    });
    const answerHash = store.texts.put(JSON.stringify(proposalBody));
    const body = { body: proposalBody, isComposed: false, afterHash: null, state: 'rejected' as const };
    store.proposals.answer(proposalId, { ...body, answerHash, details });
    const note = 'its trial lost';
    const decision = {
      verdict: 'rejected',
      author: 'automatic',
      note,
      textHash: null,
      decidedAt: 3,
    } as const;
    store.decisions.record({ proposalId, ...decision });
  }
  store.close();
  return root;
}

describe('coach export', { timeout: 120_000 }, () => {
  test('writes both parts and a manifest, which --check finds sound until a line is copied across', async () => {
    const root = workspace();
    const out = join(root, 'export');
    const written = await runCli(['coach', 'export', '--workspace', root, '--out', out]);
    expect(written).toMatchObject({ code: 0 });
    expect(written.stdout).toContain('1 examples to train on and 1 to test on');
    const test = readFileSync(join(out, 'test.jsonl'), 'utf8');
    expect(parseLines(test)).toMatchObject([{ label: 'rejected', source: { study: 'second' } }]);
    const sound = await runCli(['coach', 'export', '--check', '--out', out]);
    expect(sound).toMatchObject({ code: 0 });
    expect(sound.stdout).toContain('the two have nothing in common');
    appendFileSync(join(out, 'train.jsonl'), test);
    const mixed = await runCli(['coach', 'export', '--check', '--out', out, '--json']);
    expect(mixed.code).toBe(1);
    const [line] = parseLines(mixed.stdout);
    expect(line).toMatchObject({ event: 'check', isSound: false });
    expect(line?.problems).toContainEqual(expect.stringContaining('the study second is in both parts'));
  });

  test('one study alone has nothing to test on, and says so', async () => {
    const root = workspace();
    const out = join(root, 'export');
    const args = ['coach', 'export', '--workspace', root, '--out', out, '--study', 'fir', '--json'];
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(0);
    expect(parseLines(stdout)).toMatchObject([
      { event: 'export', studies: [{ study: 'first', part: 'train' }] },
    ]);
    expect(stderr).toContain('nothing is left to test on: there is one study');
  });

  test('refuses a split that is none, and a check of nothing', async () => {
    const root = workspace();
    const out = join(root, 'export');
    const split = await runCli(['coach', 'export', '--workspace', root, '--out', out, '--split', '80/30']);
    expect(split).toMatchObject({ code: 2 });
    expect(split.stderr).toContain('two shares that make 100');
    const unwritten = await runCli(['coach', 'export', '--check', '--out', out]);
    expect(unwritten).toMatchObject({ code: 2 });
    expect(unwritten.stderr).toContain('there is no');
    writeFileSync(out, '');
    expect(await runCli(['coach', 'export', '--workspace', root, '--out', out])).toMatchObject({ code: 2 });
  });
});
