import { serveModelHost } from '../engine/coach/model/host/serve-host.ts';
import { ignoreTerminalSignals } from '../shared/std/terminal-signals.ts';

ignoreTerminalSignals(process);
serveModelHost(process);
