/**
 * The engine's face: who opens a workspace, and how calls reach it. Everything outside `engine/` imports from here
 * (or, where start-up time counts, `open-engine.ts` and `sample-workspace.ts` on their own).
 */
export { confinePaths } from './confine-paths.ts';
export { createEngine, type Engine, type EngineOptions } from './create-engine.ts';
export { type CallAnswer, createDispatch, type Dispatch, type Handlers } from './dispatcher.ts';
export { connectInProcess } from './in-process.ts';
export { type Opened, type OpenedEngine, openEngine, openReader, openTools } from './open-engine.ts';
export { connectSocket } from './private-socket.ts';
export { relayTransport } from './relay.ts';
export { createSampleWorkspace } from './sample-workspace.ts';
export { type Served, serveChannel } from './serve-channel.ts';
export { serveWebSocket, subprotocol, type WebSocketServing } from './websocket-server.ts';
