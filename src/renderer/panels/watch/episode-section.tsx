import { useMemo } from 'react';
import type { PolicyPlayView } from '../../../shared/contract/policies.ts';
import { formatValue } from '../../components/format.ts';
import { FramePlayer } from '../../components/frame-player.tsx';
import { openPlay } from './opened-play.ts';
import { endingWords, playTitle, stepLines } from './watch-words.ts';

/** An episode as a film, with the figures that an evaluation has of it. */
export function EpisodeSection({ play }: { play: PolicyPlayView }) {
  const opened = useMemo(() => openPlay(play), [play]);
  const { runId, round, environment, seed, episode } = play;
  return (
    <>
      <section>
        <h2>{playTitle(play)}</h2>
        <p className="muted">
          Episode {episode} of stream {seed}. {endingWords(play)}
        </p>
      </section>
      <FramePlayer
        key={JSON.stringify([runId, round, environment, seed, episode])}
        frames={opened.frames}
        cast={play.cast}
        label={playTitle(play)}
        isPlayingAtFirst={!matchMedia('(prefers-reduced-motion: reduce)').matches}
        describe={(index) => stepLines(opened, index).map((line) => <div key={line}>{line}</div>)}
      />
      <GroupTable groups={play.groups} />
    </>
  );
}

function GroupTable({ groups }: Pick<PolicyPlayView, 'groups'>) {
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            <th>Group</th>
            <th>Played by</th>
            <th className="number">Return</th>
            <th>Metrics of the episode</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ group, player, episodeReturn, metrics }) => (
            <tr key={group}>
              <td>{group}</td>
              <td>{player === 'policy' ? 'its policy' : player}</td>
              <td className="number">{formatValue(episodeReturn)}</td>
              <td>{metrics.map(({ name, value }) => `${name} ${formatValue(value)}`).join(', ') || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
