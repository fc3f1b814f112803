/** Set while work is under way that is stopped in order, not cut off. */
let stopWork: (() => void) | null = null;

/** A reader that has seen enough (`| head`) ends the command and is no failure, unless that stops work half-way. */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
      // With the code of a failure that nobody was there to read.
      if (stopWork === null) process.exit();
      stopWork();
    });
  }
}

/** From now until the function returned is called, a reader that goes away calls `stop`. */
export function stopWhenUnread(stop: () => void): () => void {
  stopWork = stop;
  return () => {
    stopWork = null;
  };
}
