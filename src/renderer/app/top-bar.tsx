import { useStore } from 'zustand';
import { Badge } from '../components/feedback.tsx';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/logo.tsx';
import { chordLabel } from './chords.ts';
import { RunBar } from './run-bar.tsx';
import { isMac } from './use-keyboard.ts';
import { useWorkbench } from './workbench-context.tsx';

export function TopBar({ onOpenPalette }: { onOpenPalette: () => void }) {
  const { workspace } = useWorkbench();
  const info = useStore(workspace.store, (state) => state.info);
  return (
    <header className="topbar">
      <span className="brand" title={info.status === 'ready' ? info.value.root : undefined}>
        <Logo />
        {info.status === 'ready' ? info.value.name : 'Gymwright'}
      </span>
      {info.status === 'ready' && info.value.isReadOnly ? <Badge tone="warning">read-only</Badge> : null}
      <RunBar />
      <span className="spacer" />
      <button type="button" className="palette-opener" onClick={onOpenPalette}>
        <Icon name="search" />
        <span>Commands and files</span>
        <kbd>{chordLabel('Mod+K', isMac)}</kbd>
      </button>
    </header>
  );
}
