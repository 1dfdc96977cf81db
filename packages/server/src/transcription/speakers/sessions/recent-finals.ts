// Keeps the latest finals of a live stream, whose words may still get other speakers.
import type { ChangedSpeakers, Final, TranscriptText } from '../../transcriber.ts';
import { FREEZE_SECONDS, type LiveUpdate } from '../live-speakers.ts';
import type { SpeakerNames } from '../speaker-names.ts';
import { withSpeakers } from './transcript-speakers.ts';

interface Recent {
  readonly utterance: number;
  readonly final: Final;
  /** The speakers of the words as last reported, for comparison. */
  labels: string;
}

export class RecentFinals {
  #finals: Recent[] = [];

  /** Returns the final with its speakers; unchanged when they are not known. */
  add(final: Final, update: LiveUpdate | null, names?: SpeakerNames): Final {
    if (!update) return final;
    const transcript = withSpeakers(final.transcript, update, names);
    this.#finals = this.#finals.filter((recent) => final.endMs - recent.final.endMs <= FREEZE_SECONDS * 1000);
    this.#finals.push({ utterance: update.utterance, final, labels: labelsOf(transcript) });
    return { ...final, transcript };
  }

  /** Earlier finals whose words now have other speakers. */
  changes(update: LiveUpdate | null, names?: SpeakerNames): ChangedSpeakers[] {
    return (update?.changed ?? []).flatMap((changed) => {
      const recent = this.#finals.find(({ utterance }) => utterance === changed.utterance);
      if (!recent || !update) return [];
      const { startMs, endMs } = recent.final;
      const transcript = withSpeakers(recent.final.transcript, { ...update, ...changed }, names);
      const labels = labelsOf(transcript);
      if (labels === recent.labels) return [];
      recent.labels = labels;
      return [{ startMs, endMs, transcript }];
    });
  }
}

const labelsOf = ({ words }: Pick<TranscriptText, 'words'>): string =>
  words.map(({ speaker }) => speaker?.speaker ?? '').join(' ');
