import { z } from 'zod';
import { errorCodes } from '../std/app-error.ts';

export const errorPayload = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  data: z.unknown().optional(),
});

/** Ids are chosen by the client and only have to differ among its open requests. */
export const requestMessage = z.strictObject({
  kind: z.literal('request'),
  id: z.int().nonnegative(),
  call: z.string().max(100),
  args: z.unknown(),
});

/** id null: the request could not be read well enough to know its id. */
export const responseMessage = z.discriminatedUnion('ok', [
  z.strictObject({
    kind: z.literal('response'),
    id: z.int().nonnegative(),
    ok: z.literal(true),
    value: z.unknown(),
  }),
  z.strictObject({
    kind: z.literal('response'),
    id: z.int().nonnegative().nullable(),
    ok: z.literal(false),
    error: errorPayload,
  }),
]);

export const eventMessage = z.strictObject({
  kind: z.literal('event'),
  event: z.string().max(100),
  payload: z.unknown(),
});

/** What a client may be sent. */
export const serverMessage = z.union([responseMessage, eventMessage]);

export type RequestMessage = z.infer<typeof requestMessage>;
export type ResponseMessage = z.infer<typeof responseMessage>;
export type EventMessage = z.infer<typeof eventMessage>;
export type Message = RequestMessage | ResponseMessage | EventMessage;
