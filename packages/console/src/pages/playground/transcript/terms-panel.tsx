// Lists the vocabulary terms in a transcript. One click undoes a false alarm and counts it.
import { weightAfter } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../../api/api.ts';
import { ErrorNotice } from '../../../components/states.tsx';
import { asError } from '../../../errors.ts';
import { counted } from '../../../format.ts';
import { useSession } from '../../../session.ts';
import type { AppliedTerm } from './applied-terms.ts';
import type { EditableTranscript } from './editable-transcript.ts';
import { isTakenBack, takenBack } from './term-marks.ts';

interface Props {
  readonly transcript: EditableTranscript;
  readonly onChange: (transcript: EditableTranscript) => void;
}

export const TermsPanel = ({ transcript, onChange }: Props) => {
  const { accountId } = useSession();
  const [error, setError] = useState<Error | null>(null);
  const [alarm, setAlarm] = useState<{ readonly term: string; readonly count: number } | null>(null);
  if (transcript.terms.length === 0) return null;
  const takeBack = async (term: AppliedTerm) => {
    setError(null);
    onChange(takenBack(transcript, term));
    try {
      setAlarm(await api.countFalseAlarm(accountId, term.term));
    } catch (thrown) {
      setError(asError(thrown));
    }
  };
  return (
    <section class="applied-terms" aria-label="Vocabulary terms" data-testid="applied-terms">
      <h3>Vocabulary terms</h3>
      <ul class="item-list">
        {transcript.terms.map((term) => (
          <li key={`${term.rawStart} ${term.term}`}>
            <span>
              <strong class="name">
                <bdi>{term.term}</bdi>
              </strong>{' '}
              <span class="muted">
                instead of “<bdi>{term.instead}</bdi>”
              </span>
            </span>
            {isTakenBack(transcript, term) ? (
              <span class="muted">Undone</span>
            ) : (
              <button type="button" class="text-button" onClick={() => void takeBack(term)}>
                False alarm
              </button>
            )}
          </li>
        ))}
      </ul>
      <div role="status">
        {alarm ? (
          <p class="muted small">
            “<bdi>{alarm.term}</bdi>” has {counted(alarm.count, 'false alarm')}.
            {weightAfter(alarm.count) < 1 ? ' It now needs more evidence.' : ''}
          </p>
        ) : null}
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </section>
  );
};
