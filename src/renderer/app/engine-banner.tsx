import { useStore } from 'zustand';
import { Button } from '../components/button.tsx';
import { NoticeBox } from '../components/feedback.tsx';
import { useWorkbench } from './workbench-context.tsx';

/** Shown while the engine does not answer. Unsaved texts survive the reload. */
export function EngineBanner() {
  const { status, client, documents, attempt } = useWorkbench();
  const { engine, shell } = useStore(status.store);
  if (engine.state !== 'lost') return <div />;
  const restart = (): void => {
    documents.persistNow();
    if (shell?.shell === 'electron')
      void attempt('The engine did not start', () => client.desktop.restartEngine({}));
    else window.location.reload();
  };
  return (
    <NoticeBox tone="bad">
      <div className="notice-text">
        <strong>The engine is gone.</strong> What was recorded is on disk, and unsaved texts are kept.
        <div>{engine.message}</div>
      </div>
      <Button label={shell?.shell === 'electron' ? 'Start it again' : 'Reload'} onPress={restart} />
    </NoticeBox>
  );
}
