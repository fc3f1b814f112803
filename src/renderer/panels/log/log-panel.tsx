import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { Empty } from '../../components/feedback.tsx';
import { formatTime } from '../../components/format.ts';

/** What engine, trainers, coach and model host said; follows the end unless scrolled up. */
export function LogPanel() {
  const { status } = useWorkbench();
  const lines = useStore(status.store, (state) => state.log);
  const host = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);

  // Dependencies: new lines move the end
  useEffect(() => {
    if (isAtEnd.current) host.current?.scrollTo({ top: host.current.scrollHeight });
  }, [lines]);

  const isEmpty = lines.length === 0;
  // A panel that was hidden has no height to scroll: it goes to the end when it is shown.
  useEffect(() => {
    const element = host.current;
    if (isEmpty || !element) return;
    const shown = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTo({ top: element.scrollHeight });
    });
    shown.observe(element);
    return () => shown.disconnect();
  }, [isEmpty]);

  if (isEmpty) return <Empty icon="log" title="Nothing logged yet" />;
  return (
    <div
      className="panel-body log-lines"
      role="log"
      style={{ height: '100%' }}
      ref={host}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (clientHeight > 0) isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
    >
      {lines.map((line, index) => (
        <div key={`${line.at}-${index}`} className="log-line" data-level={line.level}>
          <span className="muted">{formatTime(line.at)}</span> {line.source.padEnd(10)}{' '}
          {line.runId === null ? null : <span className="run">{line.runId} </span>}
          {line.message}
        </div>
      ))}
    </div>
  );
}
