interface Child {
  kill(signal: 'SIGKILL'): unknown;
  once(event: 'exit', listener: () => void): unknown;
}

interface Self {
  on(event: 'exit', listener: () => void): unknown;
}

/** The children of each process object; one listener, however many there are. */
const children = new WeakMap<Self, Set<Child>>();

/**
 * When `self` exits, in whatever hurry, the child is killed: one that was stopped (SIGSTOP) hears no farewell and would stay
 * for ever.
 */
export function killAtExit(child: Child, self: Self): void {
  let alive = children.get(self);
  if (alive === undefined) {
    const ours = new Set<Child>();
    alive = ours;
    children.set(self, ours);
    self.on('exit', () => {
      for (const each of ours) each.kill('SIGKILL');
    });
  }
  const ours = alive;
  ours.add(child);
  child.once('exit', () => ours.delete(child));
}
