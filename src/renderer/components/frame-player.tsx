import { type ReactNode, useMemo } from 'react';
import { frameDrawer } from '../../shared/draw/index.ts';
import type { Frame, FrameCast } from '../../shared/rl/frame.ts';
import { Button } from './button.tsx';
import { type Playback, type PlaybackAction, speeds } from './playback.ts';
import { usePlayback } from './use-playback.ts';

export interface FramePlayerProps {
  /** At least one. */
  readonly frames: readonly Frame[];
  readonly cast: FrameCast;
  /** What is played, in words. */
  readonly label: string;
  readonly isPlayingAtFirst?: boolean;
  /** What is told below the picture of the frame at an index. */
  readonly describe?: (index: number) => ReactNode;
}

const pictureSize = { width: 580, height: 340 };

/** Frames as a film: play, pause, step, scrub; a single one is a picture. For other frames give it another key. */
export function FramePlayer({ frames, cast, label, isPlayingAtFirst = false, describe }: FramePlayerProps) {
  const [playback, act] = usePlayback(frames.length, isPlayingAtFirst);
  const { index } = playback;
  const draw = useMemo(() => frameDrawer(frames, cast, pictureSize), [frames, cast]);
  const last = frames.length - 1;
  return (
    <section className="player" aria-label={label}>
      <div className="player-film">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(draw(index))}`}
          alt={`${label}, step ${frames[index]?.step}`}
        />
        {last > 0 ? <Bar playback={playback} act={act} last={last} /> : null}
      </div>
      {describe ? <div className="player-words">{describe(index)}</div> : null}
    </section>
  );
}

interface BarProps {
  readonly playback: Playback;
  readonly act: (action: PlaybackAction) => void;
  /** Index of the last frame. */
  readonly last: number;
}

function Bar({ playback: { index, isPlaying, speed }, act, last }: BarProps) {
  const place = `${index + 1} of ${last + 1}`;
  return (
    <div className="player-bar">
      <Button
        label={isPlaying ? 'Pause' : 'Play'}
        icon={isPlaying ? 'pause' : 'play'}
        isIconOnly
        onPress={() => act({ type: 'toggle' })}
      />
      <Button
        label="One step back"
        icon="stepBack"
        variant="ghost"
        isIconOnly
        isDisabled={index === 0}
        keepsFocus
        onPress={() => act({ type: 'move', by: -1 })}
      />
      <Button
        label="One step on"
        icon="step"
        variant="ghost"
        isIconOnly
        isDisabled={index === last}
        keepsFocus
        onPress={() => act({ type: 'move', by: 1 })}
      />
      <input
        type="range"
        aria-label="Step"
        aria-valuetext={place}
        min={0}
        max={last}
        value={index}
        onChange={(event) => act({ type: 'seek', index: Number(event.target.value) })}
      />
      <span className="muted place">{place}</span>
      <select
        className="select"
        aria-label="Speed"
        value={speed}
        onChange={(event) => act({ type: 'speed', speed: Number(event.target.value) })}
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each} ×
          </option>
        ))}
      </select>
    </div>
  );
}
