// Joins the transcripts of a recording's channels into one, in the order in which people spoke.
import { cutBefore, lineOf, type WrittenWord, writtenWords } from '@faircopy/transcript';
import type { Transcript } from '../../transcription/transcriber.ts';

/** Channels that are transcribed separately; further ones are left out. */
export const CHANNELS_MAX = 8;

/** A pause this long splits an utterance, so that words of another channel can come in between. */
const PAUSE_MS = 500;

interface Utterance {
  readonly channel: number;
  readonly words: readonly WrittenWord[];
  readonly startMs: number;
  readonly endMs: number;
}

const utterancesOf = (transcript: Transcript, channel: number): Utterance[] =>
  cutBefore(
    writtenWords(transcript),
    (word, before) => word.gap.includes('\n') || word.startMs - before.endMs >= PAUSE_MS,
  ).map((words) => ({
    channel,
    words,
    startMs: words[0]!.startMs,
    endMs: Math.max(...words.map(({ endMs }) => endMs)),
  }));

/**
 * Speakers are the channels, in order, with the names that the caller gave. Words are those of the refined text, so the
 * refined text also serves as the raw text.
 */
export const mergeChannels = (transcripts: readonly Transcript[], names: readonly string[]): Transcript => {
  const utterances = transcripts.flatMap(utterancesOf).sort((a, b) => a.startMs - b.startMs || a.channel - b.channel);
  const text = utterances
    .map(({ words, channel }, index) => {
      const before = utterances[index - 1];
      const gap = before ? (before.channel === channel ? ' ' : '\n') : '';
      return gap + lineOf(words);
    })
    .join('');
  const by = (channel: number) => ({ speaker: channel, confidence: 1 });
  const secondsOf = (channel: number): number =>
    utterances.reduce((sum, one) => (one.channel === channel ? sum + (one.endMs - one.startMs) / 1000 : sum), 0);
  const main = transcripts.reduce((most, each) => (each.words.length > most.words.length ? each : most));
  return {
    ...main,
    text,
    rawText: text,
    edits: [],
    words: utterances.flatMap(({ words, channel }) =>
      words.map(({ gap: _, ...word }) => ({ ...word, speaker: by(channel) })),
    ),
    segments: transcripts
      .flatMap(({ segments }, channel) => segments.map((segment) => ({ ...segment, speaker: by(channel) })))
      .sort((a, b) => a.startMs - b.startMs),
    outputTokenCount: transcripts.reduce((sum, { outputTokenCount }) => sum + outputTokenCount, 0),
    speakers: {
      speakers: transcripts.map((_, channel) => ({
        speaker: channel,
        name: names[channel] ?? null,
        isNameSure: names[channel] !== undefined,
        seconds: secondsOf(channel),
      })),
      turns: utterances.map(({ channel, startMs, endMs }) => ({
        speaker: channel,
        startSeconds: startMs / 1000,
        endSeconds: endMs / 1000,
      })),
    },
  };
};
