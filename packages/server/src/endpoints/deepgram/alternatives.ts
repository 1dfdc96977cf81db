// A transcript as Deepgram's `alternative`: the text and its words with times.
import { lineOf, type WrittenWord, writtenWords } from '@faircopy/transcript';
import type { TranscriptText } from '../../calls/transcript.ts';
import type { DeepgramOptions, Replacement } from './parameters.ts';

export interface DeepgramWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly punctuated_word: string;
  /** Only with `diarize`, as is the confidence, which live results do not have. */
  readonly speaker?: number;
  readonly speaker_confidence?: number;
}

export interface Alternative {
  readonly transcript: string;
  readonly confidence: number;
  readonly words: readonly DeepgramWord[];
}

type Recognised = Pick<TranscriptText, 'rawText' | 'edits' | 'words' | 'segments'>;

export const seconds = (ms: number): number => Math.round(ms) / 1000;
const rounded = (confidence: number): number => Math.round(confidence * 1e4) / 1e4;

/** Lower case, without surrounding punctuation. */
export const bareWord = (text: string): string =>
  text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || text.toLowerCase();

/** The words of the transcript, refined or raw, with replacements applied. */
export const shownWords = (
  recognised: Recognised,
  { text, replacements }: Pick<DeepgramOptions, 'text' | 'replacements'>,
) => replaced(writtenWords(text === 'refined' ? recognised : { ...recognised, edits: [] }), replacements);

const replaced = (words: readonly WrittenWord[], replacements: readonly Replacement[]): readonly WrittenWord[] =>
  replacements.reduce<readonly WrittenWord[]>((before, { find, replace }) => {
    const sought = find.trim().split(/\s+/u).map(bareWord);
    const after: WrittenWord[] = [];
    for (let at = 0; at < before.length; ) {
      const run = before.slice(at, at + sought.length);
      const isFound = run.length === sought.length && run.every(({ text }, index) => bareWord(text) === sought[index]);
      if (!isFound) {
        after.push(before[at]!);
        at += 1;
        continue;
      }
      if (replace !== '') after.push({ ...run[0]!, text: replace, endMs: run.at(-1)!.endMs });
      at += sought.length;
    }
    return after;
  }, words);

export const deepgramWord = ({
  text,
  startMs,
  endMs,
  confidence,
  speaker,
}: Omit<WrittenWord, 'gap'>): DeepgramWord => ({
  word: bareWord(text),
  start: seconds(startMs),
  end: seconds(endMs),
  confidence: rounded(confidence),
  punctuated_word: text,
  ...(speaker && { speaker: speaker.speaker, speaker_confidence: rounded(speaker.confidence) }),
});

/** Deepgram's live results have no confidence for speakers. */
export const liveWord = ({ speaker_confidence: _, ...word }: DeepgramWord): DeepgramWord => word;

export const meanConfidence = (words: readonly { readonly confidence: number }[]): number =>
  words.length === 0 ? 0 : rounded(words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length);

export const alternativeOf = (words: readonly WrittenWord[]): Alternative => ({
  transcript: lineOf(words),
  confidence: meanConfidence(words),
  words: words.map(deepgramWord),
});
