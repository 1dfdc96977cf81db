// The details of a change, and controls to undo it alone or with all of its kind.
import { type Change, type EditableTranscript, setReverted } from './editable-transcript.ts';
import { changeName } from './pass-names.ts';

interface Props {
  readonly transcript: EditableTranscript;
  readonly onChange: (transcript: EditableTranscript) => void;
}

const quoted = (text: string) =>
  text.trim() === '' ? (
    'nothing'
  ) : (
    <>
      “<bdi>{text.trim()}</bdi>”
    </>
  );

export const ChangeDetails = ({ transcript, onChange, change }: Props & { change: Change }) => {
  const toggle = (matches: (other: Change) => boolean) =>
    onChange(setReverted(transcript, matches, !change.isReverted));
  const verb = change.isReverted ? 'Redo' : 'Undo';
  const ofKind = transcript.changes.filter(({ kind }) => kind === change.kind).length;
  return (
    <div class="change-details" role="status" data-testid="change-details">
      <div>
        <p>
          <strong>{changeName(change.kind)}</strong>: {change.reason}
        </p>
        <p class="small">
          Recognised: {quoted(change.before)}. Written: {quoted(change.after)}.
        </p>
      </div>
      <div class="actions">
        <button type="button" onClick={() => toggle(({ id }) => id === change.id)}>
          {verb} this change
        </button>
        {ofKind > 1 ? (
          <button type="button" onClick={() => toggle(({ kind }) => kind === change.kind)}>
            {verb} all {ofKind} of this kind
          </button>
        ) : null}
      </div>
    </div>
  );
};

export const Kinds = ({ transcript, onChange }: Props) => {
  const kinds = [...new Set(transcript.changes.map(({ kind }) => kind))];
  return (
    <fieldset class="kinds">
      <legend>Changes by kind</legend>
      {kinds.map((kind) => {
        const ofKind = transcript.changes.filter((change) => change.kind === kind);
        const applied = ofKind.filter(({ isReverted }) => !isReverted).length;
        return (
          <label key={kind} class="kind">
            <input
              type="checkbox"
              checked={applied === ofKind.length}
              ref={(box) => {
                if (box) box.indeterminate = applied > 0 && applied < ofKind.length;
              }}
              onChange={(event) =>
                onChange(setReverted(transcript, (change) => change.kind === kind, !event.currentTarget.checked))
              }
            />
            {changeName(kind)} ({ofKind.length})
          </label>
        );
      })}
    </fieldset>
  );
};
