import type { ReactNode } from 'react';
import type { AppError } from '../../shared/std/app-error.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'accent';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

export function Dot({ tone, isLive = false }: { tone: Tone; isLive?: boolean }) {
  return <span className="dot" data-tone={tone} data-live={isLive} aria-hidden="true" />;
}

/** Why there is nothing here, and what to do about it. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Waiting({ what }: { what: string }) {
  return (
    <div className="empty" role="status">
      <Dot tone="accent" isLive />
      <span>{what}</span>
    </div>
  );
}

export function Failure({ title, error, onRetry }: { title: string; error: AppError; onRetry?: () => void }) {
  return (
    <div className="empty" role="alert">
      <Icon name="error" />
      <strong>{title}</strong>
      <p>{error.message}</p>
      <code>{error.code}</code>
      {onRetry ? <Button label="Try again" onPress={onRetry} /> : null}
    </div>
  );
}

export function NoticeBox({ tone, children }: { tone: Tone; children: ReactNode }) {
  const icon: IconName =
    tone === 'bad' ? 'error' : tone === 'warning' ? 'warning' : tone === 'good' ? 'check' : 'info';
  return (
    <div className="notice-box" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      {children}
    </div>
  );
}

export function ProgressBar({ fraction, label }: { fraction: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}
