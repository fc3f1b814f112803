import type { ProposalView } from '../../shared/contract/coach.ts';
import type { LogLine } from '../../shared/contract/engine.ts';
import type { EventName, EventPayload } from '../../shared/contract/events.ts';
import { couldNotBeApplied, hasNothingToPropose } from '../../shared/contract/proposal-outcome.ts';
import type { RunState, RunView, StudyView } from '../../shared/contract/runs.ts';
import type { Voice } from './voice.ts';

type Entry = Pick<LogLine, 'level' | 'source' | 'runId' | 'message'>;

/**
 * Writes what happens into the log, once per change of state: studies and runs that start and end, what coaches
 * propose, what becomes of it. Everything is told as before, the line after it.
 */
export function keepJournal(emit: Voice['emit'], now: () => number): Voice['emit'] {
  const states = new Map<string, string>();
  /** Whether the state is another one than was last told. */
  const isNews = (id: string, state: string): boolean => {
    if (states.get(id) === state) return false;
    states.set(id, state);
    return true;
  };
  return (event, payload) => {
    emit(event, payload);
    const entry = entryOf(event, payload, isNews);
    if (entry !== null) emit('log.appended', { at: now(), ...entry });
  };
}

function entryOf<E extends EventName>(
  event: E,
  payload: EventPayload<E>,
  isNews: (id: string, state: string) => boolean,
): Entry | null {
  switch (event) {
    case 'study.changed': {
      const study = payload as StudyView;
      return isNews(study.studyId, study.state) ? studyEntry(study) : null;
    }
    case 'run.changed': {
      const run = payload as RunView;
      return isNews(run.runId, run.state) ? runEntry(run) : null;
    }
    case 'proposal.changed': {
      const proposal = payload as ProposalView;
      return isNews(proposal.proposalId, proposal.state) ? proposalEntry(proposal) : null;
    }
    default:
      return null;
  }
}

const endStates: readonly RunState[] = ['finished', 'failed', 'stopped'];

function studyEntry({ studyId, state, runs }: StudyView): Entry {
  const numFailed = runs.filter((run) => run.state === 'failed').length;
  const figures = endStates.includes(state)
    ? `${runs.length} runs, ${numFailed} failed`
    : `${runs.length} runs`;
  const level = state === 'failed' ? 'error' : 'info';
  return { level, source: 'engine', runId: null, message: `study ${studyId} is ${state} (${figures})` };
}

/** Null where somebody else says it: a failed run with its error, a paused one by its study. */
function runEntry({ runId, state, step, round, numRounds, objective }: RunView): Entry | null {
  const entry = (message: string): Entry => ({ level: 'info', source: 'engine', runId, message });
  switch (state) {
    case 'running':
      return entry(`runs from step ${step}, round ${round + 1} of ${numRounds}`);
    case 'finished':
      return entry(`finished at step ${step}, objective ${objective?.toPrecision(5) ?? 'not measured'}`);
    case 'stopped':
      return entry(`stopped at step ${step}`);
    default:
      return null;
  }
}

function proposalEntry(proposal: ProposalView): Entry {
  const { runId, proposalId, state, failure } = proposal;
  const isTrouble = failure !== null && !hasNothingToPropose(proposal);
  const name = proposalId.startsWith(runId) ? proposalId.slice(runId.length + 1) : proposalId;
  return {
    level: isTrouble ? 'warning' : 'info',
    source: 'coach',
    runId,
    message: `${name}: ${wordsOf(proposal, state)}`,
  };
}

function wordsOf(proposal: ProposalView, state: ProposalView['state']): string {
  const { body, failure, validation, trial, decision } = proposal;
  const changes = (body?.changes ?? []).map(({ op, target }) => `${op} ${target}`).join(', ');
  switch (state) {
    case 'asked':
      return `coach "${proposal.provider}" is asked after round ${proposal.round + 1} (${proposal.reason})`;
    case 'validated':
      return `proposes to ${changes}; valid`;
    case 'invalid':
      return `proposes to ${changes}; not valid: ${(validation?.reasons ?? []).map(({ message }) => message).join('; ')}`;
    case 'trying':
      return `${changes} is tried out`;
    case 'awaiting':
      return `${changes} waits for a person${trial?.state === 'concluded' ? `; trial: ${trial.verdict}` : ''}`;
    case 'accepted':
    case 'edited':
    case 'rejected': {
      const by = decision?.author === 'person' ? 'by a person' : 'automatically';
      return `${changes} is ${state} ${by}${decision?.note ? `: ${decision.note}` : ''}`;
    }
    default:
      return couldNotBeApplied(proposal)
        ? `${changes} could not be applied: ${failure?.message}`
        : `no proposal: ${failure?.message}`;
  }
}
