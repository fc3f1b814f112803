import type { StudyView } from '../../shared/contract/runs.ts';

type Named = Pick<StudyView, 'studyId' | 'name' | 'createdAt'>;

const shortIdLength = 4;

/** The first characters of the random part of a study's id: tells studies of one file apart where little room is. */
export function studyShortId(studyId: string): string {
  return studyId.slice(studyId.lastIndexOf('-') + 1).slice(0, shortIdLength);
}

/** When a study was started: the time of today, else with the day. */
export function formatStart(createdAt: number, now = Date.now()): string {
  const start = new Date(createdAt);
  const time = start.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (start.toDateString() === new Date(now).toDateString()) return time;
  return `${start.toLocaleDateString([], { month: 'short', day: 'numeric' })}, ${time}`;
}

/** Name, short id and start: no two studies of a workspace read alike. */
export function studyLabel({ studyId, name, createdAt }: Named, now = Date.now()): string {
  return `${name} · ${studyShortId(studyId)} · ${formatStart(createdAt, now)}`;
}
