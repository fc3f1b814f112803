import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { EdlHost } from '../../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../src/engine/sim/index.ts';

/** The host over the real addon: what the engine gives to the language. */
export function simHost(): EdlHost {
  return {
    scenarioNames,
    manifest: (scenario, parameters) =>
      scenarioNames().includes(scenario) ? scenarioManifest(scenario, parameters) : null,
    text(name, from) {
      const path = resolve(from === null ? '.' : dirname(from), name);
      return existsSync(path) ? { path, text: readFileSync(path, 'utf8') } : null;
    },
  };
}
