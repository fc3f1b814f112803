/** The workbench in a browser: static page, WebSocket to the engine, token. */
export { type ServeOptions, type Serving, serve } from './serve.ts';
