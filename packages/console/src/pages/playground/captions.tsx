// Live captions: final text in black, interim text in grey, and the speakers if they were requested.
import type { LiveEvent, LiveSpeaker } from '@faircopy/client';
import { useEffect, useRef } from 'preact/hooks';
import { colourOf } from './transcript/speakers/colours.ts';

export type FinalEvent = Extract<LiveEvent, { type: 'final' }>;

type SpeakersChanged = Extract<LiveEvent, { type: 'speakers_changed' }>;

export interface Caption {
  readonly finals: readonly FinalEvent[];
  /** The interim text of the open utterance. */
  readonly interim: string;
}

export const NO_CAPTION: Caption = { finals: [], interim: '' };

/** The speakers of a final may change until it is ten seconds old. */
const withSpeakers = (final: FinalEvent, { startSeconds, words }: SpeakersChanged): FinalEvent =>
  final.startSeconds === startSeconds ? { ...final, words } : final;

export const captionAfter = (caption: Caption, event: LiveEvent): Caption => {
  if (event.type === 'speakers_changed')
    return { ...caption, finals: caption.finals.map((final) => withSpeakers(final, event)) };
  if (event.type === 'interim') return { ...caption, interim: event.text };
  if (event.type !== 'final') return caption;
  return { finals: event.text === '' ? caption.finals : [...caption.finals, event], interim: '' };
};

interface Run {
  readonly key: string;
  readonly speaker: number | null;
  /** Whether the speaker differs from that of the previous run. */
  readonly isNew: boolean;
  readonly text: string;
}

/** Splits finals where the speaker changes. */
const runsOf = (finals: readonly FinalEvent[]): Run[] => {
  const runs: Run[] = [];
  for (const { startSeconds, text, words } of finals) {
    const speakers = new Set(words.map(({ speaker }) => speaker ?? null));
    const pieces: { speaker: number | null; words: string[] }[] = [];
    for (const { speaker = null, text: word } of words) {
      if (pieces.at(-1)?.speaker === speaker) pieces.at(-1)!.words.push(word);
      else pieces.push({ speaker, words: [word] });
    }
    // The text of a whole final has the spacing of its language, which joined words would lose.
    const whole = { speaker: pieces[0]?.speaker ?? null, words: [text] };
    for (const [index, piece] of (speakers.size < 2 ? [whole] : pieces).entries())
      runs.push({
        key: `${startSeconds} ${index}`,
        speaker: piece.speaker,
        isNew: piece.speaker !== (runs.at(-1)?.speaker ?? null),
        text: piece.words.join(' '),
      });
  }
  return runs;
};

/** The speakers that the newest final lists; later finals know more of them. */
export const peopleOf = (finals: readonly FinalEvent[]): readonly LiveSpeaker[] =>
  finals.findLast(({ speakers }) => speakers.length > 0)?.speakers ?? [];

const nameOf = (speaker: number, people: readonly LiveSpeaker[]): string => {
  const known = people.find((person) => person.speaker === speaker);
  if (!known?.name) return `Speaker ${speaker + 1}`;
  return known.isNameSure ? known.name : `${known.name} (maybe)`;
};

export const Captions = ({ caption }: { caption: Caption }) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [caption]);
  const people = peopleOf(caption.finals);
  const isEmpty = caption.finals.length === 0 && caption.interim === '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can only scroll what has the focus
    <div ref={box} class="captions" data-testid="captions" tabIndex={0} role="log" aria-label="Live captions">
      {isEmpty ? <span class="muted">Words appear here as you speak.</span> : null}
      {runsOf(caption.finals).map(({ key, speaker, isNew, text }) => (
        <span key={key} class={`final ${colourOf(speaker)}`} dir="auto">
          {isNew && speaker !== null ? <strong class="caption-speaker">{nameOf(speaker, people)}</strong> : null}
          {text}{' '}
        </span>
      ))}
      {/* Screen readers announce finals only. */}
      <span class="interim" aria-hidden="true" dir="auto">
        {caption.interim}
      </span>
    </div>
  );
};
