// Views of a transcript: plain text, marked changes, and recognised and refined text side by side.
import { editedPieces, type WrittenWord } from '@faircopy/transcript';
import type { ComponentChildren } from 'preact';
import type { AppliedTerm } from './applied-terms.ts';
import type { Change, EditableTranscript } from './editable-transcript.ts';
import { changeName } from './pass-names.ts';
import { Part, partsOf } from './words.tsx';

export interface TextViewProps {
  readonly transcript: EditableTranscript;
  readonly text: string;
  readonly words: readonly WrittenWord[];
  /** The vocabulary terms in the text, by the index of the word. */
  readonly terms: ReadonlyMap<number, AppliedTerm>;
  /** The index of the word that is playing. */
  readonly playing: number | null;
  readonly onPlay: ((atMs: number) => void) | null;
}

interface TextProps {
  readonly language: string | null;
  readonly testId: string;
  readonly children: ComponentChildren;
}

const Text = ({ language, testId, children }: TextProps) => (
  <p class="transcript" data-testid={testId} lang={language ?? ''} dir="auto">
    {children}
  </p>
);

const Range = ({ words, terms, text, playing, onPlay, from, to }: TextViewProps & { from: number; to: number }) => (
  <>
    {partsOf(words, text, from, to).map((part, index) => (
      <Part
        key={index}
        part={part}
        word={part.word === null ? undefined : words[part.word]}
        isPlaying={part.word !== null && part.word === playing}
        term={part.word === null ? undefined : terms.get(part.word)}
        onPlay={onPlay}
      />
    ))}
  </>
);

export const PlainText = (props: TextViewProps) => (
  <Text language={props.transcript.source.language} testId="transcript">
    {props.text === '' ? <span class="muted">No speech was recognised.</span> : null}
    <Range {...props} from={0} to={props.text.length} />
  </Text>
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
  const { transcript, chosenId, onChoose } = props;
  let at = 0;
  return (
    <Text language={transcript.source.language} testId="marked-transcript">
      {editedPieces(transcript.source.rawText, transcript.changes).map((piece) => {
        const change = piece.edit;
        const from = at;
        // A reverted change leaves the recognised words in the text.
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
        return <Range key={piece.rawStart} {...props} from={from} to={at} />;
      })}
    </Text>
  );
};

export const SideBySide = (props: TextViewProps) => (
  <div class="side-by-side">
    <section>
      <h3>Recognised</h3>
      <Text language={props.transcript.source.language} testId="raw-transcript">
        {props.transcript.source.rawText}
      </Text>
    </section>
    <section>
      <h3>Refined</h3>
      <PlainText {...props} />
    </section>
  </div>
);
