import { createElement, type MouseEvent, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { Button, type ButtonProps } from '../../../src/renderer/components/button.tsx';

/** Presses it as a browser does that knows of aria-disabled alone. */
function press(props: Partial<ButtonProps>) {
  const onPress = vi.fn();
  const element = Button({ label: 'Next', onPress, ...props }) as ReactElement<{
    onClick: (event: MouseEvent) => void;
  }>;
  const event = { preventDefault: vi.fn() };
  element.props.onClick(event as unknown as MouseEvent);
  return { numPresses: onPress.mock.calls.length, isPrevented: event.preventDefault.mock.calls.length > 0 };
}

const show = (props: Partial<ButtonProps>) =>
  renderToStaticMarkup(createElement(Button, { label: 'Next', ...props }));

describe('Button', () => {
  test('one that is disabled and keeps the focus does nothing, and submits nothing', () => {
    expect(press({})).toEqual({ numPresses: 1, isPrevented: false });
    expect(press({ isDisabled: true, keepsFocus: true, isSubmit: true })).toEqual({
      numPresses: 0,
      isPrevented: true,
    });
    expect(show({ isDisabled: true, keepsFocus: true })).toContain('aria-disabled="true"');
    expect(show({ isDisabled: true, keepsFocus: true })).not.toContain(' disabled');
    expect(show({ isDisabled: true })).toContain(' disabled');
    expect(show({ keepsFocus: true })).not.toContain('disabled');
  });

  test('submits the form that it is in only where it is said to', () => {
    expect(show({})).toContain('type="button"');
    expect(show({ isSubmit: true })).toContain('type="submit"');
  });
});
