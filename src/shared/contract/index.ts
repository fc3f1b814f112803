/** The contract and everything that moves it: schemas, messages, codec, channels, the derived client. */
export { type Channel, createChannelTransport } from './channel.ts';
export { createClient } from './client.ts';
export { type CodedMessage, decodeMessage, encodeMessage } from './codec.ts';
export {
  type Client,
  type Contract,
  contract,
  type DesktopHandlers,
  type DomainName,
  type EngineHandlers,
} from './contract.ts';
export type { CallSpec, Domain, DomainClient, DomainHandlers } from './define.ts';
export { type EventName, type EventPayload, events } from './events.ts';
export { type IpcEndpoint, ipcChannel } from './ipc.ts';
export type { Message, RequestMessage, ResponseMessage } from './messages.ts';
export type { Transport } from './transport.ts';
export { connectWebSocket, type WebSocketLike, webSocketChannel } from './websocket.ts';
