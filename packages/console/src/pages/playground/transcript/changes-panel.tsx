// What a change is and why, taken back one by one or by kind.
import { changeName } from './change-names.ts';
import { type Change, setReverted, type Work } from './model.ts';

interface Props {
  readonly work: Work;
  readonly onWork: (work: Work) => void;
}

const Said = ({ what, text, nothing }: { what: string; text: string; nothing: string }) =>
  text.trim() === '' ? (
    <span>{nothing}</span>
  ) : (
    <span>
      {what} “<bdi>{text.trim()}</bdi>”
    </span>
  );

export const ChangeDetails = ({ work, onWork, change }: Props & { change: Change }) => {
  const revert = (of: (one: Change) => boolean, isReverted: boolean) => onWork(setReverted(work, of, isReverted));
  const others = work.changes.filter(({ kind }) => kind === change.kind).length;
  return (
    <div class="change-details" role="status" data-testid="change-details">
      <div>
        <p>
          <strong>{changeName(change.kind)}</strong>: {change.reason}
        </p>
        <p class="small">
          <Said what="Heard" text={change.before} nothing="Nothing was heard here" />,{' '}
          <Said what="written" text={change.after} nothing="left out" />
        </p>
      </div>
      <div class="actions">
        <button type="button" onClick={() => revert(({ id }) => id === change.id, !change.isReverted)}>
          {change.isReverted ? 'Make it again' : 'Take it back'}
        </button>
        {others > 1 ? (
          <button type="button" onClick={() => revert(({ kind }) => kind === change.kind, !change.isReverted)}>
            {change.isReverted ? `Make all ${others} again` : `Take back all ${others} of its kind`}
          </button>
        ) : null}
      </div>
    </div>
  );
};

export const Kinds = ({ work, onWork }: Props) => {
  const kinds = [...new Set(work.changes.map(({ kind }) => kind))];
  return (
    <fieldset class="kinds">
      <legend>Changes by kind</legend>
      {kinds.map((kind) => {
        const ofKind = work.changes.filter((change) => change.kind === kind);
        const held = ofKind.filter(({ isReverted }) => !isReverted).length;
        return (
          <label key={kind} class="kind">
            <input
              type="checkbox"
              checked={held === ofKind.length}
              ref={(box) => {
                if (box) box.indeterminate = held > 0 && held < ofKind.length;
              }}
              onChange={(event) =>
                onWork(setReverted(work, (change) => change.kind === kind, !event.currentTarget.checked))
              }
            />
            {changeName(kind)} ({ofKind.length})
          </label>
        );
      })}
    </fieldset>
  );
};
