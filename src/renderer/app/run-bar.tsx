import { Button } from '../components/button.tsx';
import { Badge, ProgressBar } from '../components/feedback.tsx';
import { formatCount } from '../components/format.ts';
import { isLive, isResumable, toneOfRunState } from '../components/run-state.ts';
import { studyLabel } from '../state/study-label.ts';
import { type RunBarView, useRunBar } from './use-run-bar.ts';

/** Start an experiment, and pause, continue, stop or resume the active study. */
export function RunBar() {
  const view = useRunBar();
  const { active } = view;
  return (
    <div className="runbar">
      <select
        className="select"
        aria-label="Experiment"
        value={view.experimentPath ?? ''}
        disabled={view.experimentPaths.length === 0}
        onChange={(event) => view.choose(event.target.value)}
      >
        {view.experimentPaths.length === 0 ? <option value="">No experiments</option> : null}
        {view.experimentPaths.map((path) => (
          <option key={path} value={path}>
            {path.split('/').at(-1)}
          </option>
        ))}
      </select>
      <Button
        label="Start"
        icon="play"
        variant="primary"
        isDisabled={view.experimentPath === null || view.isStarting}
        onPress={view.start}
      />
      {active ? (
        <>
          <StudyChoice view={view} />
          <Badge tone={toneOfRunState(active.state)}>
            {active.name}: {active.state}
          </Badge>
          {isLive(active.state) ? (
            <>
              <ProgressBar fraction={view.fraction} label={`Progress of ${active.name}`} />
              <span className="muted speed">
                {view.stepsPerSecond === null ? '' : `${formatCount(view.stepsPerSecond)} steps/s`}
              </span>
            </>
          ) : null}
          {active.state === 'running' ? (
            <Button label="Pause" icon="pause" variant="ghost" isIconOnly onPress={view.pause} />
          ) : null}
          {active.state === 'paused' ? (
            <Button label="Continue" icon="resume" variant="ghost" isIconOnly onPress={view.unpause} />
          ) : null}
          {isLive(active.state) ? (
            <Button label="Stop" icon="stop" variant="ghost" isIconOnly onPress={view.stop} />
          ) : null}
          {isResumable(active.state) ? (
            <Button label="Resume" icon="resume" variant="ghost" onPress={view.resume} />
          ) : null}
        </>
      ) : null}
    </div>
  );
}

/** Which study the controls act on; offered once there are several. */
function StudyChoice({ view: { studies, active, activate } }: { view: RunBarView }) {
  if (studies.length < 2) return null;
  return (
    <select
      className="select"
      aria-label="Study"
      title="The study whose state is shown and which the buttons act on"
      value={active?.studyId ?? ''}
      onChange={(event) => activate(event.target.value)}
    >
      {studies.map((study) => (
        <option key={study.studyId} value={study.studyId}>
          {studyLabel(study)}
        </option>
      ))}
    </select>
  );
}
