import type { AppError } from '../../shared/std/app-error.ts';
import { Failure } from '../components/feedback.tsx';

/** Shown in place of the workbench when the engine could not be reached at all. */
export function StartFailure({ error }: { error: AppError }) {
  return (
    <Failure title="The engine cannot be reached" error={error} onRetry={() => window.location.reload()} />
  );
}
