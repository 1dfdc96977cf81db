// The latest finals of a live stream, whose words may still get other speakers.
import type { ChangedSpeakers, Final } from '../../transcriber.ts';
import { FREEZE_SECONDS, type LiveUpdate } from '../live-speakers.ts';
import type { SpeakerNames } from '../speaker-names.ts';
import { type TranscriptSpeakers, transcriptSpeakers } from './transcript-speakers.ts';

interface Recent {
  readonly utterance: number;
  readonly final: Final;
  /** What the caller was last given, to compare. */
  labels: string;
}

export class RecentFinals {
  readonly #names: SpeakerNames | undefined;
  #finals: Recent[] = [];

  constructor(names: SpeakerNames | undefined) {
    this.#names = names;
  }

  /** The final with its speakers; as it is when they are not known. */
  add(final: Final, update: LiveUpdate | null): Final {
    if (!update) return final;
    const speakers = transcriptSpeakers(final.transcript, update, this.#names);
    this.#finals = this.#finals.filter((recent) => final.endMs - recent.final.endMs <= FREEZE_SECONDS * 1000);
    this.#finals.push({ utterance: update.utterance, final, labels: labelsOf(speakers) });
    return { ...final, transcript: { ...final.transcript, speakers } };
  }

  /** Earlier finals whose words have other speakers now. */
  changes(update: LiveUpdate | null): ChangedSpeakers[] {
    return (update?.changed ?? []).flatMap((changed) => {
      const recent = this.#finals.find(({ utterance }) => utterance === changed.utterance);
      if (!recent || !update) return [];
      const { startMs, endMs, transcript } = recent.final;
      const speakers = transcriptSpeakers(transcript, { ...update, ...changed }, this.#names);
      const labels = labelsOf(speakers);
      if (labels === recent.labels) return [];
      recent.labels = labels;
      return [{ startMs, endMs, words: transcript.words, speakers }];
    });
  }
}

const labelsOf = ({ ofWords }: TranscriptSpeakers): string => ofWords.map((word) => word?.speaker ?? '').join(' ');
