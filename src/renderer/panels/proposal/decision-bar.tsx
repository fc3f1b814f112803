import { Button } from '../../components/button.tsx';
import { hasLost } from './proposal-words.ts';
import type { ProposalPanelView } from './use-proposal.ts';

/**
 * Accept, edit or reject, with a note that goes on record. Training goes on meanwhile. What a trial or the record spoke against is
 * accepted nevertheless, and the button says so.
 */
export function DecisionBar({ view }: { view: ProposalPanelView }) {
  const { isSending, proposal } = view;
  const isAgainst = proposal !== null && hasLost(proposal);
  const isEditing = view.review.mode === 'editing';
  const hasErrors = view.diagnostics.some(({ severity }) => severity === 'error');
  return (
    <footer className="decision-bar">
      <label>
        <span className="muted">Note for the record</span>
        <textarea
          className="textarea"
          rows={1}
          value={view.note}
          disabled={isSending}
          onChange={(event) => view.setNote(event.target.value)}
        />
      </label>
      {isEditing ? (
        <>
          <Button label="Discard edits" isDisabled={isSending} onPress={view.stopEditing} />
          {view.refusal === null ? null : (
            <Button
              label="Accept nevertheless"
              variant="danger"
              isDisabled={isSending || hasErrors}
              onPress={() => view.decide('edited', true)}
            />
          )}
          <Button
            label="Accept edited"
            icon="check"
            variant="primary"
            isDisabled={isSending || hasErrors}
            onPress={() => view.decide('edited')}
          />
        </>
      ) : (
        <>
          <Button
            label="Reject"
            variant="danger"
            isDisabled={isSending}
            onPress={() => view.decide('rejected')}
          />
          <Button
            label="Edit"
            isDisabled={isSending || proposal?.after === null}
            onPress={view.startEditing}
          />
          <Button
            label={isAgainst ? 'Accept nevertheless' : 'Accept'}
            icon="check"
            variant={isAgainst ? 'danger' : 'primary'}
            isDisabled={isSending}
            onPress={() => view.decide('accepted')}
          />
        </>
      )}
    </footer>
  );
}
