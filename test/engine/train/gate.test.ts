import { describe, expect, test, vi } from 'vitest';
import { Gate } from '../../../src/engine/train/gate.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

function setUp() {
  const stop = new AbortController();
  const gate = new Gate(stop.signal);
  const passed = vi.fn();
  const onHold = vi.fn();
  return { stop, gate, passed, onHold, pass: () => void gate.pass(onHold).then(passed) };
}

describe('Gate', () => {
  test('an open one holds nobody', async () => {
    const { gate, pass, passed, onHold } = setUp();
    pass();
    await settle();
    expect(passed).toHaveBeenCalledOnce();
    expect(onHold).not.toHaveBeenCalled();
    expect(gate.isClosed).toBe(false);
  });

  test('a closed one holds until it opens, over opening and closing again at once', async () => {
    const { gate, pass, passed, onHold } = setUp();
    gate.close();
    gate.close();
    pass();
    gate.open();
    gate.close();
    await settle();
    expect(gate.isClosed).toBe(true);
    expect(onHold).toHaveBeenCalledOnce();
    expect(passed).not.toHaveBeenCalled();
    gate.open();
    await settle();
    expect(passed).toHaveBeenCalledOnce();
  });

  test('an abort lets everyone through for good', async () => {
    const { stop, gate, pass, passed } = setUp();
    gate.close();
    pass();
    stop.abort();
    gate.close();
    pass();
    await settle();
    expect(passed).toHaveBeenCalledTimes(2);
  });
});
