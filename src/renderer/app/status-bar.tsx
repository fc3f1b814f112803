import { useStore } from 'zustand';
import type { StudyView } from '../../shared/contract/runs.ts';
import { assertNever } from '../../shared/std/assert-never.ts';
import { Dot, type Tone } from '../components/feedback.tsx';
import { Icon } from '../components/icon.tsx';
import { countDecidable } from '../panels/inbox/inbox-groups.ts';
import { useProblems } from '../panels/problems/use-problems.ts';
import { valueOr } from '../state/loadable.ts';
import { themes } from '../state/settings-model.ts';
import type { EngineConnection, ModelStatus } from '../state/status-model.ts';
import { useWorkbench } from './workbench-context.tsx';

/** Engine, model, problems, waiting proposals; each leads to its panel. */
export function StatusBar() {
  const { status, studies, proposals, dock, settings } = useWorkbench();
  const { engine, model, shell } = useStore(status.store);
  const allProposals = useStore(proposals.store, (state) => state.proposals);
  const allStudies = valueOr(
    useStore(studies.store, (state) => state.studies),
    [],
  );
  const awaiting = countDecidable(valueOr(allProposals, []), allStudies);
  const theme = useStore(settings.store, (state) => state.theme);
  const { problems } = useProblems();
  const numRunning = countRunning(allStudies);
  const engineWords = describeEngine(engine, numRunning);
  const modelWords = describeModel(model);
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'light';
  return (
    <footer className="statusbar">
      <button type="button" className="item" title={engineWords.detail} onClick={() => dock.show('log')}>
        <Dot tone={engineWords.tone} />
        {engineWords.text}
      </button>
      <span className="item" title={modelWords.detail}>
        <Dot tone={modelWords.tone} isLive={model?.state === 'busy' || model?.state === 'loading'} />
        {modelWords.text}
      </span>
      <button type="button" className="item" onClick={() => dock.show('problems')}>
        <Icon name="problems" />
        {problems.length === 0
          ? 'no problems'
          : problems.length === 1
            ? '1 problem'
            : `${problems.length} problems`}
      </button>
      <button type="button" className="item" onClick={() => dock.show('inbox')}>
        <Icon name="inbox" />
        {awaiting === 0
          ? 'nothing waits for you'
          : awaiting === 1
            ? '1 proposal waits'
            : `${awaiting} proposals wait`}
      </button>
      <span className="spacer" />
      <button
        type="button"
        className="item"
        onClick={() => settings.set({ theme: nextTheme })}
        title="Next theme"
      >
        <Icon name="theme" />
        {theme === 'contrast' ? 'high contrast' : theme}
      </button>
      {shell ? <span className="item">Gymwright {shell.version}</span> : null}
    </footer>
  );
}

interface StatusWords {
  readonly text: string;
  readonly tone: Tone;
  readonly detail: string;
}

/** Runs whose trainers are at work. Run events tell it sooner than the engine's own status. */
function countRunning(studies: readonly StudyView[]): number {
  return studies.flatMap((study) => study.runs).filter((run) => run.state === 'running').length;
}

function describeEngine(engine: EngineConnection, runningRuns: number): StatusWords {
  switch (engine.state) {
    case 'connecting':
      return { text: 'engine: connecting', tone: 'neutral', detail: '' };
    case 'lost':
      return { text: 'engine: not answering', tone: 'bad', detail: engine.message };
    case 'connected': {
      const { numCores, pid, node } = engine.status;
      const runs =
        runningRuns === 0 ? 'idle' : runningRuns === 1 ? '1 run training' : `${runningRuns} runs training`;
      return {
        text: `engine: ${runs}`,
        tone: runningRuns > 0 ? 'accent' : 'good',
        detail: `process ${pid}, Node ${node}, ${numCores} cores`,
      };
    }
    default:
      return assertNever(engine);
  }
}

function describeModel(model: ModelStatus | null): StatusWords {
  if (!model || model.state === 'absent')
    return { text: 'no model loaded', tone: 'neutral', detail: model?.message ?? '' };
  const tones = { loading: 'warning', ready: 'good', busy: 'accent', failed: 'bad' } as const;
  const name = model.path?.split('/').at(-1) ?? 'model';
  return { text: `${name}: ${model.state}`, tone: tones[model.state], detail: model.message };
}
