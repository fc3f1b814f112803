import { parentPort } from 'node:worker_threads';
import { serveTextTools } from '../engine/language/serve-text-tools.ts';

/** The language thread: checks, lays out and explains EDL texts for the engine that started it. */
if (parentPort === null) throw new TypeError('this is the entry of a thread, not of a process');
serveTextTools(parentPort);
