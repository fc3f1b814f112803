/** Files of the machine: written whole or not at all, failures with a code, contents by their hash. */
export { type FileVerb, fileError } from './file-error.ts';
export { sha256 } from './hash.ts';
export { makeFolder } from './make-folder.ts';
export { maxFileBytes, readFileBytes } from './read-file.ts';
export { readWhole } from './read-whole.ts';
export { findResources } from './resources.ts';
export { decodeUtf8, readUtf8 } from './text.ts';
export { temporaryMark, writeWhole } from './write-whole.ts';
