import type { DomainHandlers } from '../../shared/contract/define.ts';
import type { edlDocuments } from '../../shared/contract/edl-documents.ts';
import { RequestAnswerer } from './answer-requests.ts';
import { anyBaseFiles } from './base-files.ts';
import { type DocumentUpdate, notOpen } from './document.ts';
import {
  documentServices,
  type KeepingVerb,
  type ServiceArgs,
  type ServiceResult,
  type ServiceVerb,
} from './document-services.ts';
import type { TextTools } from './text-tools.ts';

type MaybePromise<T> = T | Promise<T>;

/** The language over the scenarios of this build, wherever it runs: on this thread or on one of its own. */
export interface Language {
  check(args: Parameters<TextTools['check']>[0]): MaybePromise<ReturnType<TextTools['check']>>;
  format(args: Parameters<TextTools['format']>[0]): MaybePromise<string>;
  explain(args: Parameters<TextTools['explain']>[0]): MaybePromise<string>;
  flatten(args: Parameters<TextTools['flatten']>[0]): MaybePromise<string>;
  readonly documents: DomainHandlers<typeof edlDocuments>;
}

type Ask = <V extends ServiceVerb>(verb: V, args: ServiceArgs<V>) => MaybePromise<ServiceResult<V>>;

/** Handlers of every call about documents, from those that keep them and one function that asks. */
export function documentHandlers(
  keep: Pick<DomainHandlers<typeof edlDocuments>, KeepingVerb>,
  ask: Ask,
): DomainHandlers<typeof edlDocuments> {
  const verbs = Object.keys(documentServices) as ServiceVerb[];
  const services = Object.fromEntries(
    verbs.map((verb) => [verb, (args: ServiceArgs<typeof verb>) => ask(verb, args)]),
  ) as Pick<DomainHandlers<typeof edlDocuments>, ServiceVerb>;
  return { ...keep, ...services };
}

/** The language on the caller's thread, for commands without a workspace. */
export function languageHere(): Language {
  const answerer = new RequestAnswerer(null, anyBaseFiles);
  const answer = (request: Parameters<RequestAnswerer['answer']>[0]) => answerer.answer(request, () => false);
  const keep = (update: DocumentUpdate): Record<string, never> => {
    answerer.apply([update]);
    return {};
  };
  return {
    ...answerer.tools,
    documents: documentHandlers(
      {
        open: keep,
        change(update) {
          if (answerer.documents.find(update) === null) throw notOpen(update.path);
          return keep(update);
        },
        close: (name) => keep({ ...name, version: 0, text: null }),
        cancel: () => ({}),
      },
      (verb, args) => answer({ verb, args } as Parameters<typeof answer>[0]) as ServiceResult<typeof verb>,
    ),
  };
}
