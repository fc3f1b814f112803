import type { EdlHost } from '../edl/index.ts';
import { basePath, type ReadBaseFile } from './base-files.ts';
import { type DocumentName, type DocumentUpdate, OpenDocuments, stale } from './document.ts';
import { type Asked, documentServices, type ServiceArgs, type ServiceVerb } from './document-services.ts';
import { hostWith } from './scenario-host.ts';
import { createTextTools, type TextArgs, type TextTools } from './text-tools.ts';

export type ToolVerb = keyof TextTools;

/** What is asked of the language, on whichever thread it runs. */
export type LanguageRequest = ToolRequest | ServiceRequest;

type ToolRequest = { readonly [V in ToolVerb]: { readonly verb: V; readonly args: TextArgs } }[ToolVerb];
type ServiceRequest = {
  readonly [V in ServiceVerb]: { readonly verb: V; readonly args: ServiceArgs<V> };
}[ServiceVerb];

/** Holds the open documents of one thread and answers requests, one after the other. */
export class RequestAnswerer {
  readonly documents = new OpenDocuments();
  readonly tools: TextTools;
  readonly #root: string | null;
  readonly #readFile: ReadBaseFile;

  /** `root`: the workspace whose files may be extended; null: those that `readFile` finds. */
  constructor(root: string | null, readFile: ReadBaseFile) {
    this.#root = root;
    this.#readFile = readFile;
    this.tools = createTextTools(hostWith(readFile));
  }

  apply(updates: readonly DocumentUpdate[]): void {
    for (const update of updates) this.documents.apply(update);
  }

  /** `isCancelled` is asked between parts of long work. Throws what the service throws, edl.stale among it. */
  answer(request: LanguageRequest, isCancelled: () => boolean): unknown {
    return this.#isOfText(request)
      ? this.tools[request.verb](request.args)
      : this.#serve(request, isCancelled);
  }

  #isOfText(request: LanguageRequest): request is ToolRequest {
    return Object.hasOwn(this.tools, request.verb);
  }

  #serve({ verb, args }: ServiceRequest, isCancelled: () => boolean): unknown {
    const document = this.documents.at(args);
    const checkpoint = (): void => {
      if (isCancelled()) throw stale(args.path);
    };
    // The verb decides what the arguments are, which a union of requests does not tell the compiler.
    const service = documentServices[verb] as (asked: Asked, args: ServiceRequest['args']) => unknown;
    return service({ document, host: this.#hostFor(args), checkpoint }, args);
  }

  /** A window's own unsaved texts come before files. */
  #hostFor({ session }: DocumentName): EdlHost {
    return hostWith((name, from) => {
      const path = basePath(this.#root ?? '', name, from);
      const open = this.documents.find({ session, path });
      return open === null ? this.#readFile(name, from) : { path, text: open.text };
    });
  }
}
