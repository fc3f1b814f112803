/**
 * Writes native/include/gymwright/header_hash.hpp: what tells these headers from every other state of them. A library
 * of scenarios that was built against other headers is refused by it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashHeader, hashHeaders, headerText } from './header-hash.ts';

const folder = join(import.meta.dirname, '..', 'native/include/gymwright');
writeFileSync(join(folder, hashHeader), headerText(hashHeaders(folder)));
