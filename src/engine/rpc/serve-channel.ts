import type { Channel } from '../../shared/contract/channel.ts';
import { type ResponseMessage, requestMessage } from '../../shared/contract/messages.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { CallAnswer, Dispatch } from './dispatcher.ts';
import type { EventListener } from './event-hub.ts';

/** What a connection is served from: an engine, or a shell in front of one. */
export interface Served {
  readonly dispatch: Dispatch;
  /** Returns the function that unsubscribes. */
  subscribe(listener: EventListener): () => void;
}

/** Id of a message that is no valid request, if it has one that an answer can be sent to. */
function idOf(message: unknown): number | null {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 ? id : null;
}

function refusal(message: unknown): ResponseMessage {
  const error =
    message instanceof AppError
      ? message
      : new AppError(
          'rpc.badArguments',
          'malformed message: a request has kind, id, call and args; it was ignored',
        );
  return {
    kind: 'response',
    id: message instanceof AppError ? null : idOf(message),
    ok: false,
    error: error.toPayload(),
  };
}

/** The answer to a call, whatever happens: who serves may sit in front of a dispatcher, and throw where that does not. */
async function answerOf(served: Served, call: string, args: unknown): Promise<CallAnswer> {
  try {
    return await served.dispatch(call, args);
  } catch (thrown) {
    const { code, message } = AppError.from(thrown);
    return { ok: false, error: { code, message: `${call} broke down: ${message}` } };
  }
}

/** Answers every message of a channel and sends it every event, until it closes. Nothing a peer sends can throw here. */
export function serveChannel(channel: Channel, served: Served): void {
  const respond = (response: ResponseMessage): void => {
    try {
      channel.send(response);
    } catch (error) {
      const { code, message } = AppError.from(error);
      const failure = new AppError(code, `the answer cannot be sent: ${message}`);
      channel.send({ kind: 'response', id: response.id, ok: false, error: failure.toPayload() });
    }
  };
  const unsubscribe = served.subscribe((event, payload) => channel.send({ kind: 'event', event, payload }));
  channel.onClose(unsubscribe);
  channel.onMessage((message) => {
    const request = requestMessage.safeParse(message);
    if (message instanceof AppError || !request.success) return respond(refusal(message));
    const { id, call, args } = request.data;
    void answerOf(served, call, args).then((answer) => respond({ kind: 'response', id, ...answer }));
  });
}
