import { parentPort, workerData } from 'node:worker_threads';
import { type LanguageThreadData, serveLanguage } from '../engine/language/serve-language.ts';

/** The language thread: checks texts and serves the documents that are being edited. */
if (parentPort === null) throw new TypeError('this is the entry of a thread, not of a process');
serveLanguage(parentPort, workerData as LanguageThreadData);
