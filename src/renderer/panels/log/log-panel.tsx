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

  if (lines.length === 0) return <Empty icon="log" title="Nothing logged yet" />;
  return (
    <div
      className="panel-body log-lines"
      role="log"
      style={{ height: '100%' }}
      ref={host}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
    >
      {lines.map((line, index) => (
        <div key={`${line.at}-${index}`} className="log-line" data-level={line.level}>
          <span className="muted">{formatTime(line.at)}</span> {line.source.padEnd(10)} {line.message}
        </div>
      ))}
    </div>
  );
}
