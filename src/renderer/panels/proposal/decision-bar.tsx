import { Button } from '../../components/button.tsx';
import type { ProposalPanelView } from './use-proposal.ts';

/** Accept, edit or reject, with a note that goes on record. Training goes on meanwhile. */
export function DecisionBar({ view }: { view: ProposalPanelView }) {
  const isSending = view.review.mode === 'sending';
  const isEditing = view.review.mode === 'editing';
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
          <Button label="Discard edits" onPress={view.stopEditing} />
          <Button
            label="Accept edited"
            icon="check"
            variant="primary"
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
            isDisabled={isSending || view.proposal?.after === null}
            onPress={view.startEditing}
          />
          <Button
            label="Accept"
            icon="check"
            variant="primary"
            isDisabled={isSending}
            onPress={() => view.decide('accepted')}
          />
        </>
      )}
    </footer>
  );
}
