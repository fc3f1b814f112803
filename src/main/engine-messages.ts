import { z } from 'zod';
import { errorPayload } from '../shared/contract/messages.ts';

/** What an engine process says about itself, next to the messages of the contract. */
export const engineNotice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('engine.ready'), isRemote: z.boolean() }),
  /** The last message before the process ends. */
  z.object({ kind: z.literal('engine.failed'), error: errorPayload }),
]);
export type EngineNotice = z.infer<typeof engineNotice>;

/** What the parent asks of it: end in good order. */
export const engineOrder = z.object({ kind: z.literal('engine.close') });
