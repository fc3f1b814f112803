import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  /** What it does, in words: the text, or the tooltip and accessible name of an icon-only button. */
  readonly label: string;
  readonly onPress: () => void;
  readonly icon?: IconName;
  readonly variant?: 'plain' | 'primary' | 'danger' | 'ghost';
  readonly isIconOnly?: boolean;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  /** Keyboard chord, shown in the tooltip. */
  readonly keys?: string;
  readonly children?: ReactNode;
}

export function Button({
  label,
  onPress,
  icon,
  variant = 'plain',
  isIconOnly,
  isDisabled,
  isPressed,
  keys,
  children,
}: ButtonProps) {
  return (
    <button
      type="button"
      className="button"
      data-variant={variant}
      data-icon-only={isIconOnly ? 'true' : undefined}
      disabled={isDisabled}
      aria-pressed={isPressed}
      aria-label={isIconOnly ? label : undefined}
      title={keys ? `${label} (${keys})` : isIconOnly ? label : undefined}
      onClick={onPress}
    >
      {icon ? <Icon name={icon} /> : null}
      {isIconOnly ? null : label}
      {children}
    </button>
  );
}
