// A transcript: read, play, compare, correct and download it.
import { type SpokenParts, stretchesOf } from '@faircopy/transcript';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Facts } from '../../../components/facts.tsx';
import { CodeBox } from '../../../components/scroll-box.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { count, counted, seconds } from '../../../format.ts';
import { useSession } from '../../../session.ts';
import { languageName } from '../options.tsx';
import type { Recording } from '../recordings.ts';
import { ChangeDetails, Kinds } from './changes-panel.tsx';
import { Downloads } from './downloads.tsx';
import {
  appliedChanges,
  type EditableTranscript,
  editableTranscript,
  textOf,
  withCorrections,
  wordsOf,
} from './editable-transcript.ts';
import { Player, usePlayer } from './player.tsx';
import { SpeakerLanes } from './speakers/speaker-lanes.tsx';
import { SpeakerText } from './speakers/speaker-text.tsx';
import { termsByWord } from './term-marks.ts';
import { TermsPanel } from './terms-panel.tsx';
import { MarkedText, PlainText, SideBySide } from './text-views.tsx';
import { loadSuggestions, type Suggestion, VocabularySuggestions } from './vocabulary-suggestions.tsx';

const VIEWS = [
  ['text', 'Text'],
  ['changes', 'Changes'],
  ['both', 'Side by side'],
  ['edit', 'Correct'],
] as const;
type View = (typeof VIEWS)[number][0];

/** A word stays marked this long after its end. */
const MARKED_AFTER_MS = 300;
/** Placeholders for hidden text. */
const REDACTED = /\[[A-Z_]+_\d+\]|\*{4}/u;
const NOTHING: readonly never[] = [];
/** How many changes of speakers can be undone. */
const UNDO_MAX = 50;

const AnswerFacts = ({ recording: { state } }: { recording: Recording }) => {
  if (state.name !== 'answered') return null;
  const { result, usage, request_id: requestId } = state.answer;
  const language = result.detected_language;
  return (
    <>
      <Facts
        facts={[
          ['Language', language ? `${languageName(language)} (${language})` : 'uncertain'],
          ['Duration', seconds(result.duration_seconds)],
          ['Billed', seconds(usage.billed_audio_seconds)],
          ['Tokens', count(usage.output_token_count)],
          ['Request', <code>{requestId}</code>],
        ]}
      />
      <details>
        <summary>Raw JSON</summary>
        <CodeBox label="Raw JSON" text={JSON.stringify(state.answer, null, 2)} />
      </details>
    </>
  );
};

const durationOf = ({ state, durationSeconds }: Recording): number =>
  state.name === 'answered' ? state.answer.result.duration_seconds : (durationSeconds ?? 0);

/** The index of the word that is playing. */
const wordAt = (words: ReturnType<typeof wordsOf>, atMs: number): number | null => {
  const index = words.findLastIndex(({ startMs }) => startMs <= atMs);
  return index === -1 || atMs > words[index]!.endMs + MARKED_AFTER_MS ? null : index;
};

const Correct = ({ text, onText }: { text: string; onText: (text: string) => void }) => {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <div class="correct">
      <textarea
        rows={8}
        aria-label="Transcript text"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" disabled={typed === text} onClick={() => setTyped(text)}>
          Discard
        </button>
        <button type="button" class="primary" disabled={typed === text} onClick={() => onText(typed)}>
          Apply corrections
        </button>
      </div>
    </div>
  );
};

/** The stretches to mute, from the previous to the next word: the times of a long number may begin late. */
const hiddenStretches = (words: EditableTranscript['source']['words']) =>
  words.flatMap((word, index) => {
    if (!REDACTED.test(word.text)) return [];
    const [before, after] = [words[index - 1], words[index + 1]];
    return [
      {
        startMs: Math.min(word.startMs, before?.endMs ?? 0),
        endMs: Math.max(word.endMs, after?.startMs ?? Number.POSITIVE_INFINITY),
      },
    ];
  });

const Editor = ({ recording, initial }: { recording: Recording; initial: EditableTranscript }) => {
  const { accountId } = useSession();
  const [transcript, setTranscript] = useState(initial);
  const [view, setView] = useState<View>('text');
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([]);
  const [alone, setAlone] = useState<number | null>(null);
  const [undo, setUndo] = useState<readonly SpokenParts[]>([]);
  const element = useRef<HTMLAudioElement>(null);
  const text = useMemo(() => textOf(transcript), [transcript]);
  const words = useMemo(() => wordsOf(transcript), [transcript]);
  const hidden = useMemo(() => hiddenStretches(initial.source.words), [initial]);
  const [isSilenced, setSilenced] = useState(true);
  const player = usePlayer(recording.audio, element, isSilenced ? hidden : NOTHING);
  const terms = useMemo(() => termsByWord(transcript, words), [transcript, words]);
  const { position } = player;
  const shared = {
    transcript,
    text,
    words,
    terms,
    playing: position.seconds > 0 ? wordAt(words, position.seconds * 1000) : null,
    onPlay: position.state === 'unplayable' ? null : (atMs: number) => player.playFrom(atMs / 1000),
  };
  const chosen = transcript.changes.find(({ id }) => id === chosenId);
  const { speakers } = transcript;
  const setSpeakers = (parts: SpokenParts) => {
    if (speakers) setUndo([...undo, speakers].slice(-UNDO_MAX));
    setTranscript({ ...transcript, speakers: parts });
  };
  const undoSpeakers = () => {
    setTranscript({ ...transcript, speakers: undo.at(-1) ?? speakers });
    setUndo(undo.slice(0, -1));
  };
  const isAlone = alone !== null && player.isPlayingParts && position.state === 'playing';
  const playOnly = (speaker: number) => {
    const stops = isAlone && alone === speaker;
    setAlone(stops ? null : speaker);
    player.playOnly(stops ? [] : stretchesOf(words, speaker));
  };
  const correct = (typed: string) => {
    setSuggestions([]);
    void loadSuggestions(accountId, text, typed).then(setSuggestions, () => undefined);
    setTranscript(withCorrections(transcript, typed));
    setView('text');
  };
  return (
    <section class="card" aria-label={`Transcript of ${recording.name}`}>
      <div class="card-header">
        <div>
          <h2>Transcript</h2>
          <p class="muted small">
            <bdi>{recording.name}</bdi> · {counted(appliedChanges(transcript).length, 'change')} to the recognised text
          </p>
        </div>
        {text ? <CopyButton text={text} label="Copy text" /> : null}
      </div>
      <div class={speakers ? 'with-speakers' : undefined}>
        <Player audio={recording.audio} element={element} player={player} />
        {hidden.length > 0 ? (
          <label class="silence">
            <input type="checkbox" checked={isSilenced} onChange={() => setSilenced(!isSilenced)} /> Silence hidden
            words
          </label>
        ) : null}
        {speakers ? (
          <SpeakerLanes
            parts={speakers}
            words={words}
            durationSeconds={durationOf(recording)}
            alone={isAlone ? alone : null}
            onChange={setSpeakers}
            onPlay={position.state === 'unplayable' ? null : playOnly}
          />
        ) : null}
        {undo.length > 0 ? (
          <div class="actions lane-undo">
            <button type="button" class="text-button" onClick={undoSpeakers}>
              Undo change of speakers
            </button>
          </div>
        ) : null}
      </div>
      <Tabs label="View" tabs={VIEWS} chosen={view} onChoose={setView}>
        {view === 'text' && !speakers ? <PlainText {...shared} /> : null}
        {view === 'text' && speakers ? <SpeakerText {...shared} parts={speakers} onChange={setSpeakers} /> : null}
        {view === 'both' ? <SideBySide {...shared} /> : null}
        {view === 'edit' ? <Correct text={text} onText={correct} /> : null}
        {view === 'changes' ? (
          <>
            {transcript.changes.length === 0 ? (
              <p class="muted">The recognised text was not changed.</p>
            ) : (
              <p class="muted small">Select a change to see which pass made it and why, and to undo it.</p>
            )}
            <MarkedText {...shared} chosenId={chosenId} onChoose={setChosenId} />
            {chosen ? <ChangeDetails transcript={transcript} onChange={setTranscript} change={chosen} /> : null}
            {transcript.changes.length > 0 ? <Kinds transcript={transcript} onChange={setTranscript} /> : null}
          </>
        ) : null}
      </Tabs>
      <TermsPanel transcript={transcript} onChange={setTranscript} />
      <VocabularySuggestions
        suggestions={suggestions}
        onDone={(done) => setSuggestions(suggestions.filter((suggestion) => suggestion !== done))}
      />
      <p class="muted small">
        Click a word to play it. <span class="uncertain">Shaded words</span> have low confidence.
        {transcript.terms.length > 0 ? (
          <>
            {' '}
            <span class="term">Underlined words</span> are vocabulary terms.
          </>
        ) : null}
      </p>
      <Downloads transcript={transcript} recording={recording} />
      <AnswerFacts recording={recording} />
    </section>
  );
};

export const TranscriptView = ({ recording }: { recording: Recording }) => {
  const initial = useMemo(() => editableTranscript(recording), []);
  return initial ? <Editor recording={recording} initial={initial} /> : null;
};
