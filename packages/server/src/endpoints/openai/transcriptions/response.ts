// Renders a transcript in OpenAI's formats.
import { deflateSync } from 'node:zlib';
import {
  type NameOf,
  speakerLabel,
  srtOf,
  subtitles,
  textSegments,
  vttOf,
  type WrittenWord,
  writtenWords,
} from '@faircopy/transcript';
import type { TranscribedAudio } from '../../../calls/files/upload.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import { languageName } from '../../../lib/language-names.ts';
import { exactSeconds, roundedProbability, secondsOf } from '../../../lib/rounding.ts';
import type { OpenAiRequest } from './form.ts';
import { warningHeaders } from './options.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Keeps the log-probability finite. */
const PROBABILITY_MIN = 1e-4;

const logProbability = (confidence: number): number =>
  roundedProbability(Math.log(Math.min(1, Math.max(PROBABILITY_MIN, confidence))));

/** Whisper's measure of repetition. */
const compressionRatio = (text: string): number => {
  const bytes = Buffer.from(text.trim(), 'utf8');
  return bytes.length === 0 ? 0 : Math.round((1e4 * bytes.length) / deflateSync(bytes).length) / 1e4;
};

const segmentsOf = ({ transcript }: TranscribedAudio, words: readonly WrittenWord[]) =>
  textSegments(words).map(({ text, startMs, endMs }, id) => {
    const middleMs = (startMs + endMs) / 2;
    const recognised =
      transcript.segments.findLast((segment) => segment.startMs <= middleMs) ?? transcript.segments.at(0);
    return {
      id,
      seek: Math.round(startMs / 10),
      start: secondsOf(startMs),
      end: secondsOf(endMs),
      text,
      tokens: [],
      temperature: 0,
      avg_logprob: logProbability(recognised?.confidence ?? 0),
      compression_ratio: compressionRatio(text),
      no_speech_prob: recognised?.noSpeechProbability ?? 0,
    };
  });

const logProbabilitiesOf = (words: readonly WrittenWord[]) =>
  words.map(({ gap, text, confidence }) => {
    const token = gap + text;
    return { token, logprob: logProbability(confidence), bytes: [...Buffer.from(token, 'utf8')] };
  });

type Transcript = TranscribedAudio['transcript'];

/** A, B, … Z, AA, … in order of first appearance. */
const letterOf = (speaker: number): string =>
  (speaker < 26 ? '' : letterOf(Math.floor(speaker / 26) - 1)) + String.fromCharCode(65 + (speaker % 26));

/**
 * Known names, and letters for everyone else. Clients look for the names that they sent, so only names of the account's
 * voices get a question mark when a match is merely likely.
 */
const labelsOf = ({ speakers }: Transcript, { known }: Pick<OpenAiRequest, 'known'>): NameOf => {
  const named = new Map(speakers?.speakers.map((one) => [one.speaker, one]));
  return (speaker) => {
    const found = named.get(speaker);
    if (!found || found.name === null) return letterOf(speaker);
    return known ? found.name : speakerLabel(found);
  };
};

export const diarizedSegments = (transcript: Transcript, request: Pick<OpenAiRequest, 'known'>) => {
  const labelOf = labelsOf(transcript, request);
  return textSegments(writtenWords(transcript)).map(({ text, startMs, endMs, speaker }, index) => ({
    type: 'transcript.text.segment' as const,
    id: `seg_${String(index + 1).padStart(3, '0')}`,
    start: secondsOf(startMs),
    end: secondsOf(endMs),
    text: text.trim(),
    speaker: labelOf(speaker?.speaker ?? 0),
  }));
};

/** Subtitles show names when speakers were requested. */
const namesIn = (transcript: Transcript, request: OpenAiRequest): NameOf | undefined =>
  transcript.speakers ? labelsOf(transcript, request) : undefined;

const json = (body: object): FileAnswer => ({ contentType: JSON_TYPE, body: JSON.stringify(body) });
const plain = (body: string): FileAnswer => ({ contentType: TEXT_TYPE, body });

export const languagesOf = (language: string | null) => (language === null ? {} : { languages: [{ code: language }] });

export const renderTranscription = (audio: TranscribedAudio, request: OpenAiRequest): FileAnswer => ({
  ...renderFormat(audio, request),
  headers: warningHeaders(request.warnings),
});

const renderFormat = (audio: TranscribedAudio, request: OpenAiRequest): FileAnswer => {
  const { transcript, audioSeconds } = audio;
  const { text } = transcript;
  const { task = 'transcribe' } = request.transcription;
  // A translation is always English.
  const language = task === 'translate' ? 'en' : transcript.detectedLanguage;
  const usage = { type: 'duration', seconds: exactSeconds(audioSeconds) };
  const words = (): WrittenWord[] => writtenWords(transcript);
  const warnings = request.warnings.length > 0 && { warnings: request.warnings };
  switch (request.format) {
    case 'json':
      return json({
        text,
        ...languagesOf(language),
        ...(request.wantLogProbabilities && { logprobs: logProbabilitiesOf(words()) }),
        usage,
        ...warnings,
      });
    case 'text':
      return plain(`${text}\n`);
    case 'srt':
      return plain(srtOf(subtitles(words()), namesIn(transcript, request)));
    case 'vtt':
      return { contentType: 'text/vtt; charset=utf-8', body: vttOf(subtitles(words()), namesIn(transcript, request)) };
    case 'diarized_json':
      return json({
        task: 'transcribe',
        duration: exactSeconds(audioSeconds),
        text,
        segments: diarizedSegments(transcript, request),
        usage,
        ...warnings,
      });
    case 'verbose_json': {
      const timed = words();
      return json({
        task,
        language: language === null ? 'unknown' : languageName(language),
        duration: exactSeconds(audioSeconds),
        text,
        ...(request.wantWords && {
          words: timed.map((word) => ({ word: word.text, start: secondsOf(word.startMs), end: secondsOf(word.endMs) })),
        }),
        ...(request.wantSegments && { segments: segmentsOf(audio, timed) }),
        usage,
        ...warnings,
      });
    }
  }
};
