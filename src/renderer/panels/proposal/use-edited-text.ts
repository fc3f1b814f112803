import { useEffect, useState } from 'react';
import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';

const checkDelayMs = 250;
const none: readonly Diagnostic[] = [];

/** Diagnostics of a text that is being edited, a moment after each change; none while nothing is edited. */
export function useTextDiagnostics(text: string | null): readonly Diagnostic[] {
  const { client } = useWorkbench();
  const [diagnostics, setDiagnostics] = useState(none);
  useEffect(() => {
    if (text === null) return setDiagnostics(none);
    let isCurrent = true;
    const timer = setTimeout(() => {
      // A check that fails leaves the markers: the decision itself is checked again by the engine.
      client.edl.check({ text }).then(
        (checked) => isCurrent && setDiagnostics(checked.diagnostics),
        () => undefined,
      );
    }, checkDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, text]);
  return diagnostics;
}
