import type { Diagnostic } from '../../../src/shared/contract/edl.ts';
import type { Client } from '../../../src/shared/contract/index.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';

type Calls = Pick<Client['edl'], 'open' | 'change' | 'close' | 'diagnose'>;

/** Documents in memory: a version that is not the newest is stale; `extends "x"` names a file of the same folder. */
export function fakeLanguage(diagnose: (text: string) => Promise<Diagnostic[]>) {
  const documents = new Map<string, { version: number; text: string }>();
  const diagnosed: string[] = [];
  const keep: Calls['open'] = async ({ path, version, text }) => {
    documents.set(path, { version, text });
    return {};
  };
  const find = (path: string, version: number): string => {
    const document = documents.get(path);
    if (document === undefined) throw new AppError('edl.notOpen', `${path} is not open`);
    if (document.version !== version) throw new AppError('edl.stale', `${path} has changed`);
    return document.text;
  };
  const calls: Calls = {
    open: keep,
    change: keep,
    async close({ path }) {
      documents.delete(path);
      return {};
    },
    async diagnose({ path, version }) {
      const text = find(path, version);
      diagnosed.push(text);
      const diagnostics = await diagnose(text);
      find(path, version);
      const base = /extends "([^"]+)"/.exec(text)?.[1];
      return {
        diagnostics,
        costPerStep: null,
        bases: base === undefined ? [] : [path.replace(/[^/]+$/, base)],
      };
    },
  };
  return { calls, documents, diagnosed };
}
