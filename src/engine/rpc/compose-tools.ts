import { ModelHost } from '../coach/index.ts';
import { openTemplates } from '../describe/index.ts';
import { compileSpec, languageHere } from '../language/index.ts';
import { composeModels } from './compose-models.ts';
import { describerHost } from './describer-host.ts';
import type { Handlers } from './dispatcher.ts';
import { createEdlHandlers } from './handlers/edl.ts';
import { createSimulatorHandlers } from './handlers/simulator.ts';
import type { Voice } from './voice.ts';

/** Composes what needs no workspace; paths of models are taken from `folder`. */
export function composeTools(
  folder: string,
  voice: Voice,
): { handlers: Handlers; close: () => Promise<void> } {
  const modelHost = new ModelHost({ onStatus: (status) => voice.emit('model.changed', status) });
  return {
    handlers: {
      edl: createEdlHandlers(languageHere()),
      simulator: createSimulatorHandlers({ compileSpec, describerHost, templates: openTemplates(null) }),
      models: { ...composeModels(folder, modelHost), list: () => [] },
    },
    close: () => modelHost.close(),
  };
}
