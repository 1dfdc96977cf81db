// Renders the transcripts of a recording as Deepgram's response body.
import { randomUUID } from 'node:crypto';
import { cutBefore, lineOf, speakerOf, type WrittenWord } from '@faircopy/transcript';
import type { TranscribedAudio } from '../../../calls/files/upload.ts';
import { exactSeconds, secondsOf } from '../../../lib/rounding.ts';
import { alternativeOf, deepgramWord, meanConfidence, searchResults } from '../alternatives.ts';
import { metadataOf, speakerNames } from '../model-info.ts';
import { requestUuid } from '../request-uuid.ts';
import { shownWords } from '../word-filters.ts';
import type { ListenFileRequest } from './parameters.ts';

type Transcript = TranscribedAudio['transcript'];

export interface ListenedFile {
  readonly requestId: string;
  readonly sha256: string;
  readonly audioSeconds: number;
  /** One per channel that was recognised separately. */
  readonly transcripts: readonly Transcript[];
}

const isSentenceEnd = ({ text }: WrittenWord): boolean => /[.!?…。！？]["'”’»)\]]*$/u.test(text);

const isOther = (word: WrittenWord, before: WrittenWord): boolean => speakerOf(word) !== speakerOf(before);

const speakerIn = (words: readonly WrittenWord[]) => {
  const speaker = speakerOf(words[0]!);
  return speaker === null ? {} : { speaker };
};

const timesOf = (words: readonly WrittenWord[]) => ({
  start: secondsOf(words[0]!.startMs),
  end: secondsOf(Math.max(...words.map(({ endMs }) => endMs))),
});

const paragraphsOf = (words: readonly WrittenWord[]) => {
  const paragraphs = cutBefore(words, (word, before) => word.gap.includes('\n') || isOther(word, before));
  const titleOf = (paragraph: readonly WrittenWord[]): string => {
    const speaker = speakerOf(paragraph[0]!);
    return speaker === null ? '' : `Speaker ${speaker}: `;
  };
  return {
    transcript: paragraphs.map((paragraph) => `\n${titleOf(paragraph)}${lineOf(paragraph)}`).join('\n'),
    paragraphs: paragraphs.map((paragraph) => ({
      sentences: cutBefore(paragraph, (_, before) => isSentenceEnd(before)).map((sentence) => ({
        text: lineOf(sentence),
        ...timesOf(sentence),
      })),
      ...speakerIn(paragraph),
      num_words: paragraph.length,
      ...timesOf(paragraph),
    })),
  };
};

const utterancesOf = (words: readonly WrittenWord[], channel: number, splitMs: number) =>
  cutBefore(words, (word, before) => word.startMs - before.endMs >= splitMs || isOther(word, before)).map(
    (utterance) => ({
      ...timesOf(utterance),
      confidence: meanConfidence(utterance),
      channel,
      transcript: lineOf(utterance),
      words: utterance.map(deepgramWord),
      ...speakerIn(utterance),
      id: randomUUID(),
    }),
  );

/** The confidence of the language is the mean confidence of the segments. */
const languageOf = ({ detectedLanguage, segments }: Transcript) =>
  detectedLanguage === null
    ? {}
    : { detected_language: detectedLanguage, language_confidence: meanConfidence(segments) };

export const renderListened = (
  { requestId, sha256, audioSeconds, transcripts }: ListenedFile,
  request: ListenFileRequest,
) => {
  const channels = transcripts.map((transcript) => ({ transcript, words: shownWords(transcript, request) }));
  return {
    metadata: {
      ...metadataOf(
        {
          requestUuid: requestUuid(requestId),
          sha256,
          durationSeconds: exactSeconds(audioSeconds),
          channels: transcripts.length,
        },
        request.transcription,
        request,
      ),
      ...speakerNames(
        request.transcription,
        transcripts.map((transcript, channel) => ({ channel, transcript })),
      ),
    },
    results: {
      channels: channels.map(({ transcript, words }) => ({
        alternatives: [{ ...alternativeOf(words), ...(request.paragraphs && { paragraphs: paragraphsOf(words) }) }],
        ...searchResults(transcript, request),
        ...languageOf(transcript),
      })),
      ...(request.utteranceSplitMs !== null && {
        utterances: channels
          .flatMap(({ words }, channel) => utterancesOf(words, channel, request.utteranceSplitMs!))
          .sort((a, b) => a.start - b.start),
      }),
    },
  };
};
