// Downloads of the transcript: plain text, subtitles, or JSON with all details.
import { labelIn, paragraphs, srtOf, subtitles, vttOf } from '@faircopy/transcript';
import { saveText } from '../../../save-file.ts';
import type { Recording } from '../recordings.ts';
import { appliedChanges, type EditableTranscript, textOf, wordsOf } from './editable-transcript.ts';

/** A recording, or the result of a job. */
type Named = Pick<Recording, 'name' | 'state'>;

const seconds = (ms: number): number => Math.round(ms) / 1000;

/** Undefined if speakers were not requested. */
const namesOf = ({ speakers }: EditableTranscript) => (speakers ? labelIn(speakers) : undefined);

/** With speakers: one paragraph per turn, starting with the name. */
const plainTextOf = (transcript: EditableTranscript): string => {
  const nameOf = namesOf(transcript);
  if (!nameOf) return `${textOf(transcript)}\n`;
  const lines = paragraphs(wordsOf(transcript)).map(({ text, speaker }) =>
    speaker === null ? text : `${nameOf(speaker)}: ${text}`,
  );
  return `${lines.join('\n\n')}\n`;
};

const jsonOf = (transcript: EditableTranscript, { state }: Named): string => {
  const { source } = transcript;
  const nameOf = namesOf(transcript);
  const document = {
    ...(state.name === 'answered' && {
      request_id: state.answer.request_id,
      duration_seconds: state.answer.result.duration_seconds,
    }),
    transcript: textOf(transcript),
    language: source.language,
    raw: source.rawText,
    changes: appliedChanges(transcript).map(({ kind, reason, before, after, rawStart, rawEnd }) => ({
      kind,
      reason,
      before,
      after,
      raw_start: rawStart,
      raw_end: rawEnd,
    })),
    words: wordsOf(transcript).map(({ text, startMs, endMs, confidence, speaker }) => ({
      text,
      start_seconds: seconds(startMs),
      end_seconds: seconds(endMs),
      confidence,
      ...(nameOf && speaker && { speaker: nameOf(speaker.speaker) }),
    })),
    ...(nameOf && {
      paragraphs: paragraphs(wordsOf(transcript)).map(({ text, startMs, endMs, speaker }) => ({
        text,
        start_seconds: seconds(startMs),
        end_seconds: seconds(endMs),
        speaker: speaker === null ? null : nameOf(speaker),
      })),
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};

type Renderer = (transcript: EditableTranscript, recording: Named) => string;

const FORMATS: readonly (readonly [name: string, type: string, render: Renderer])[] = [
  ['txt', 'text/plain', plainTextOf],
  ['srt', 'application/x-subrip', (transcript) => srtOf(subtitles(wordsOf(transcript)), namesOf(transcript))],
  ['vtt', 'text/vtt', (transcript) => vttOf(subtitles(wordsOf(transcript)), namesOf(transcript))],
  ['json', 'application/json', jsonOf],
];

interface Props {
  readonly transcript: EditableTranscript;
  readonly recording: Named;
}

export const Downloads = ({ transcript, recording }: Props) => {
  const base = recording.name.replace(/\.[^.]+$/, '').replaceAll(/[\\/:*?"<>|]/g, '-') || 'transcript';
  return (
    <fieldset class="downloads">
      <legend class="muted small">Download</legend>
      {FORMATS.map(([name, type, render]) => (
        <button
          key={name}
          type="button"
          onClick={() => saveText(render(transcript, recording), type, `${base}.${name}`)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
};
