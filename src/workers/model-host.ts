import { serveModelHost } from '../engine/coach/model/host/serve-host.ts';

serveModelHost(process);
