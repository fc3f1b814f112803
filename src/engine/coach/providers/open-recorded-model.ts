import { exchangedModel } from '../model/exchanged-model.ts';
import type { ModelIdentity } from '../types.ts';
import { openModel } from './open-model.ts';
import type { ProviderRequest } from './provider.ts';
import { RecordedModel } from './recorded-model.ts';

type Asked = Pick<ProviderRequest, 'deps' | 'signal'> & {
  readonly context: Pick<ProviderRequest['context'], 'runId' | 'studyId' | 'arm' | 'config'>;
};

/**
 * Loads the model that a coach block names; its answers go on record. Throws: as `openModel`; experiment.invalid where another file
 * has answered in the study's runs of this arm.
 */
export async function openRecordedModel(asked: Asked): Promise<RecordedModel> {
  const { identity, service } = await openModel(asked);
  requireSame(asked, identity);
  return new RecordedModel(identity, service, asked.deps.store);
}

function requireSame({ deps, context }: Asked, { path, sha256 }: ModelIdentity): void {
  const { runs, modelCalls } = deps.store;
  const hashes = runs
    .listByStudy(context.studyId)
    .filter(({ arm }) => arm === context.arm)
    .flatMap(({ runId }) => modelCalls.listModels(runId))
    .map(({ modelHash }) => modelHash);
  if (hashes.length > 0 && !hashes.includes(sha256)) throw exchangedModel(path, [...new Set(hashes)], sha256);
}
