import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Button } from '../components/button.tsx';
import { NoticeBox } from '../components/feedback.tsx';
import type { Notice } from '../state/notices-model.ts';
import { useWorkbench } from './workbench-context.tsx';

const shownMs = 6000;
const tones = { info: 'neutral', success: 'good', error: 'bad' } as const;

/** Notices in the corner; all but errors go by themselves. Escape takes away the newest error. */
export function Notices() {
  const { notices } = useWorkbench();
  const list = useStore(notices.store, (state) => state.notices);
  const newest = list.findLast((notice) => notice.level === 'error')?.id;
  useEffect(() => {
    if (newest === undefined) return;
    // In the bubbling phase: what Escape closes first, a widget of the editor or the palette, takes it before.
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) notices.dismiss(newest);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [notices, newest]);
  return (
    <div className="notices">
      {list.map((notice) => (
        <NoticeView key={notice.id} notice={notice} onDismiss={() => notices.dismiss(notice.id)} />
      ))}
    </div>
  );
}

function NoticeView({ notice, onDismiss }: { notice: Notice; onDismiss: () => void }) {
  const isLasting = notice.level === 'error';
  useEffect(() => {
    if (isLasting) return;
    const timer = setTimeout(onDismiss, shownMs);
    return () => clearTimeout(timer);
  }, [isLasting, onDismiss]);
  return (
    <NoticeBox tone={tones[notice.level]}>
      <div className="notice-text">
        <strong>{notice.title}</strong>
        {notice.detail ? <div>{notice.detail}</div> : null}
      </div>
      <Button label="Dismiss" icon="close" variant="ghost" isIconOnly={!isLasting} onPress={onDismiss} />
    </NoticeBox>
  );
}
