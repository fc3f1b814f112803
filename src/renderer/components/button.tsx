import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  /** What it does, in words: the text, or the tooltip and accessible name of an icon-only button. */
  readonly label: string;
  /** May be left out of what submits a form: the form says what that does. */
  readonly onPress?: () => void;
  /** Enter in a field of the form that it is in does the same. */
  readonly isSubmit?: boolean;
  readonly icon?: IconName;
  readonly variant?: 'plain' | 'primary' | 'danger' | 'ghost';
  readonly isIconOnly?: boolean;
  readonly isDisabled?: boolean;
  /** Where it is disabled only while its own press has effect, say: the keyboard stays on it. */
  readonly keepsFocus?: boolean;
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
  isDisabled = false,
  isSubmit = false,
  keepsFocus = false,
  isPressed,
  keys,
  children,
}: ButtonProps) {
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      className="button"
      data-variant={variant}
      data-icon-only={isIconOnly ? 'true' : undefined}
      disabled={isDisabled && !keepsFocus}
      aria-disabled={(isDisabled && keepsFocus) || undefined}
      aria-pressed={isPressed}
      aria-label={isIconOnly ? label : undefined}
      title={keys ? `${label} (${keys})` : isIconOnly ? label : undefined}
      onClick={(event) => {
        // What is disabled in name only submits nothing either.
        if (isDisabled) event.preventDefault();
        else onPress?.();
      }}
    >
      {icon ? <Icon name={icon} /> : null}
      {isIconOnly ? null : label}
      {children}
    </button>
  );
}
