// The text to read, the text with its changes marked, and raw against refined side by side.
import { editedPieces, type WrittenWord } from '@faircopy/transcript';
import type { ComponentChildren } from 'preact';
import { changeName } from './change-names.ts';
import type { Change, Work } from './model.ts';
import { Part, partsOf } from './words.tsx';

export interface TextViewProps {
  readonly work: Work;
  readonly text: string;
  readonly words: readonly WrittenWord[];
  /** The word under the play head. */
  readonly now: number | null;
  readonly onPlay: ((atMs: number) => void) | null;
}

const Paper = ({
  language,
  children,
  testId,
}: {
  language: string | null;
  children: ComponentChildren;
  testId: string;
}) => (
  <p class="transcript" data-testid={testId} lang={language ?? ''} dir="auto">
    {children}
  </p>
);

const Stretch = ({ words, text, now, onPlay, from, to }: TextViewProps & { from: number; to: number }) => (
  <>
    {partsOf(words, text, from, to).map((part, index) => (
      <Part
        key={index}
        part={part}
        word={part.word === null ? undefined : words[part.word]}
        isNow={part.word !== null && part.word === now}
        onPlay={onPlay}
      />
    ))}
  </>
);

export const PlainText = (props: TextViewProps) => (
  <Paper language={props.work.heard.language} testId="transcript">
    {props.text === '' ? <span class="quiet">Nothing was said.</span> : null}
    <Stretch {...props} from={0} to={props.text.length} />
  </Paper>
);

interface MarkProps {
  readonly change: Change;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

const visible = (text: string): string => text.replaceAll('\n', '↵');

const Mark = ({ change, chosen, onChoose }: MarkProps) => (
  <button
    type="button"
    class={`change ${change.isReverted ? 'change-reverted' : ''} ${chosen ? 'change-chosen' : ''}`}
    aria-pressed={chosen}
    title={changeName(change.kind)}
    onClick={onChoose}
  >
    {change.before.trim() === '' ? null : <del>{visible(change.before)}</del>}
    {change.after.trim() === '' && change.before.trim() !== '' ? null : <ins>{visible(change.after) || '·'}</ins>}
  </button>
);

interface MarkedProps extends TextViewProps {
  readonly chosenId: number | null;
  readonly onChoose: (id: number) => void;
}

export const MarkedText = (props: MarkedProps) => {
  const { work, chosenId, onChoose } = props;
  const marks = work.changes;
  let at = 0;
  return (
    <Paper language={work.heard.language} testId="marked-transcript">
      {editedPieces(work.heard.rawText, marks).map((piece) => {
        const change = piece.edit;
        const from = at;
        // A change that was taken back stands in the text as what was heard.
        at += change?.isReverted ? piece.rawEnd - piece.rawStart : piece.text.length;
        if (change)
          return (
            <Mark
              key={`change ${change.id}`}
              change={change}
              chosen={change.id === chosenId}
              onChoose={() => onChoose(change.id)}
            />
          );
        return <Stretch key={piece.rawStart} {...props} from={from} to={at} />;
      })}
    </Paper>
  );
};

export const SideBySide = (props: TextViewProps) => (
  <div class="side-by-side">
    <section>
      <h3>Heard</h3>
      <Paper language={props.work.heard.language} testId="raw-transcript">
        {props.work.heard.rawText}
      </Paper>
    </section>
    <section>
      <h3>Written</h3>
      <PlainText {...props} />
    </section>
  </div>
);
