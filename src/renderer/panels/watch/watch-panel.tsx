import type { PlayableView } from '../../../shared/contract/policies.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { EpisodeSection } from './episode-section.tsx';
import { useWatch, type WatchView } from './use-watch.ts';
import {
  chooseEnvironment,
  environmentOptions,
  environmentValue,
  type Option,
  policyOptions,
} from './watch-words.ts';

/** How a run's policy plays: one episode, as a film with its figures. */
export function WatchPanel() {
  const view = useWatch();
  if (view.runId === null) {
    return (
      <Empty icon="watch" title="Nothing to watch yet">
        <p>Start an experiment: what a run has learned can be watched once its first round has ended.</p>
      </Empty>
    );
  }
  return (
    <div className="panel">
      <div className="panel-toolbar">
        <select
          className="select"
          aria-label="Run"
          value={view.runId}
          onChange={(event) => view.model.watch(event.target.value)}
        >
          {view.studies.map((study) => (
            <optgroup key={study.label} label={study.label}>
              <Options options={study.runs} />
            </optgroup>
          ))}
        </select>
        <span className="muted truncate">{view.studyName}</span>
      </div>
      <div className="panel-body">
        <WatchBody view={view} />
      </div>
    </div>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** What can be watched of the run, and the episode that is. */
export function WatchBody({ view }: { view: WatchView }) {
  const { playable, model } = view;
  if (playable.status === 'pending') return <Waiting what="Reading the record" />;
  if (playable.status === 'failed')
    return (
      <Failure title="The run cannot be read" error={playable.error} onRetry={() => void model.refresh()} />
    );
  if (playable.value.policies.length === 0) {
    return (
      <Empty icon="watch" title="No policy yet">
        <p>A run exports its policies when a round ends; its first has not ended yet.</p>
      </Empty>
    );
  }
  return (
    <article className="watch">
      <Choices view={view} playable={playable.value} />
      <Play view={view} />
    </article>
  );
}

function Choices({ view, playable }: { view: WatchView; playable: PlayableView }) {
  const { choice, model, play, isSeedSound } = view;
  const isPlaying = play.status === 'pending';
  return (
    <form
      className="choices"
      onSubmit={(event) => {
        event.preventDefault();
        void model.start();
      }}
    >
      <label>
        <span className="muted">Policy</span>
        <select
          className="select"
          value={choice.round ?? ''}
          onChange={({ target }) =>
            model.choose({ round: target.value === '' ? null : Number(target.value) })
          }
        >
          <Options options={policyOptions(playable)} />
        </select>
      </label>
      <label>
        <span className="muted">Environment</span>
        <select
          className="select"
          value={environmentValue(choice)}
          onChange={({ target }) => model.choose(chooseEnvironment(target.value))}
        >
          <Options options={environmentOptions(playable)} />
        </select>
      </label>
      <label title="Stream that episodes are drawn from; left empty: the episodes that the run is scored on">
        <span className="muted">Seed</span>
        <input
          className="input"
          inputMode="numeric"
          placeholder="as scored"
          value={choice.seed}
          aria-invalid={!isSeedSound}
          onChange={({ target }) => model.choose({ seed: target.value })}
        />
      </label>
      <label>
        <span className="muted">Episode</span>
        <input
          className="input"
          type="number"
          min={0}
          max={1_000_000}
          value={choice.episode}
          onChange={({ target }) =>
            model.choose({ episode: Math.min(1_000_000, Math.max(0, Math.floor(target.valueAsNumber || 0))) })
          }
        />
      </label>
      <Button
        label="Play the episode"
        icon="play"
        variant="primary"
        isSubmit
        isDisabled={isPlaying || !isSeedSound}
        keepsFocus
      />
      <Button
        label="Next episode"
        icon="step"
        isDisabled={isPlaying || !isSeedSound}
        keepsFocus
        onPress={() => void model.next()}
      />
      <Button label="Cancel" icon="stop" isDisabled={!isPlaying} keepsFocus onPress={model.cancel} />
      {isSeedSound ? null : (
        <p className="bad" role="alert">
          A seed is a whole number from 0 on.
        </p>
      )}
    </form>
  );
}

function Play({ view: { play, model } }: { view: WatchView }) {
  if (play.status === 'idle') return null;
  if (play.status === 'pending') return <Waiting what="Playing the episode" />;
  if (play.status === 'failed')
    return <Failure title="It cannot be played" error={play.error} onRetry={() => void model.start()} />;
  return <EpisodeSection play={play.value} />;
}
