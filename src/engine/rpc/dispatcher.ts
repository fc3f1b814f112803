import type { z } from 'zod';
import { encodeMessage } from '../../shared/contract/codec.ts';
import { type DesktopHandlers, type EngineHandlers, findCall } from '../../shared/contract/contract.ts';
import type { CallSpec } from '../../shared/contract/define.ts';
import { AppError, type ErrorPayload } from '../../shared/std/app-error.ts';

export type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorPayload };

/** Domains that answer; a shell adds `desktop`, tools without a workspace leave most out. */
export type Handlers = Partial<EngineHandlers & { readonly desktop: DesktopHandlers }>;

/** "domain.verb" and its arguments to an answer. Never throws and never rejects: every failure is a coded answer. */
export type Dispatch = (call: string, args: unknown) => Promise<CallAnswer>;

export interface DispatchOptions {
  /** Also checks what handlers return; a mismatch is `internal`. For tests. */
  readonly checkResults?: boolean;
  /** Told about failures that carry no code of their own: defects. */
  readonly onDefect?: (call: string, error: AppError) => void;
}

type AnyHandler = (args: never) => unknown;

function findHandler(handlers: Handlers, call: string): AnyHandler | null {
  const [domain = '', verb = ''] = call.split('.');
  const byDomain = handlers as Readonly<Record<string, Readonly<Record<string, AnyHandler>> | undefined>>;
  return byDomain[domain]?.[verb] ?? null;
}

function describeIssues(error: z.ZodError): string {
  const describe = (issue: z.core.$ZodIssue) => {
    const where = issue.path.length === 0 ? 'arguments' : `"${issue.path.join('.')}"`;
    return `${where}: ${issue.message}`;
  };
  return error.issues.slice(0, 5).map(describe).join('; ');
}

function unknownCall(call: string): AppError {
  const shown = call.slice(0, 100);
  return new AppError(
    'rpc.unknownCall',
    `there is no call "${shown}": this client and this engine are of different versions; reload or update`,
    {
      data: { call: shown },
    },
  );
}

function notServed(call: string): AppError {
  return new AppError(
    'engine.unavailable',
    `${call} needs an engine that holds the workspace; this one only reads`,
    { data: { call } },
  );
}

/** Error data must survive every transport; what cannot be carried is left out. */
function toPayload(error: AppError): ErrorPayload {
  try {
    encodeMessage(error.data);
    return error.toPayload();
  } catch {
    return { code: error.code, message: error.message };
  }
}

async function invoke(
  handlers: Handlers,
  call: string,
  args: unknown,
  checkResults: boolean,
): Promise<unknown> {
  const spec = findCall(call);
  if (spec === null) throw unknownCall(call);
  const handler = findHandler(handlers, call);
  if (handler === null) throw notServed(call);
  const parsed = spec.args.safeParse(args ?? {});
  if (!parsed.success) {
    throw new AppError('rpc.badArguments', `${call} got bad arguments: ${describeIssues(parsed.error)}`, {
      data: { call },
    });
  }
  const value = await handler(parsed.data as never);
  if (checkResults) requireResult(spec, call, value);
  return value;
}

function requireResult(spec: CallSpec, call: string, value: unknown): void {
  const result = spec.result.safeParse(value);
  if (!result.success)
    throw new AppError('internal', `${call} answered against its contract: ${describeIssues(result.error)}`);
}

/** The one place where calls meet handlers: arguments are parsed by schema, thrown errors become payloads. */
export function createDispatch(handlers: Handlers, options: DispatchOptions = {}): Dispatch {
  return async (call, args) => {
    try {
      return { ok: true, value: await invoke(handlers, call, args, options.checkResults ?? false) };
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.code === 'internal') options.onDefect?.(call, error);
      return { ok: false, error: toPayload(error) };
    }
  };
}
