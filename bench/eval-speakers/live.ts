// A minimal live stream: utterances end at pauses, and only the audio up to that point is known.
import { LiveAnalyser, LiveSpeakers, type OpenSpeakerModels, type SpeakerTurn } from '@faircopy/server/speakers';

const PAUSE_SECONDS = 0.5;
const UTTERANCE_SECONDS_MAX = 12;

export interface LiveTurns {
  /** As shown when each utterance ended. */
  readonly first: readonly SpeakerTurn[];
  /** After all changes. */
  readonly last: readonly SpeakerTurn[];
}

interface Utterance {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Joins speech across short pauses into utterances, and splits utterances longer than twelve seconds. */
export const utterancesOf = (speech: readonly Utterance[]): Utterance[] => {
  const utterances: { startSeconds: number; endSeconds: number }[] = [];
  for (const span of speech) {
    const last = utterances.at(-1);
    if (last && span.startSeconds - last.endSeconds < PAUSE_SECONDS) last.endSeconds = span.endSeconds;
    else utterances.push({ ...span });
  }
  return utterances.flatMap(({ startSeconds, endSeconds }) => {
    const parts = Math.ceil((endSeconds - startSeconds) / UTTERANCE_SECONDS_MAX);
    const length = (endSeconds - startSeconds) / parts;
    return Array.from({ length: parts }, (_, part) => ({
      startSeconds: startSeconds + part * length,
      endSeconds: startSeconds + (part + 1) * length,
    }));
  });
};

export const liveTurns = async (samples: Float32Array, models: OpenSpeakerModels): Promise<LiveTurns> => {
  const analyser = new LiveAnalyser(models.features);
  const speakers = new LiveSpeakers();
  const first: SpeakerTurn[] = [];
  const last = new Map<number, readonly SpeakerTurn[]>();
  let heard = 0;
  const seconds = samples.length / 16_000;
  let end = 0;
  const utterances = utterancesOf(await models.speechIn(samples));
  for (const [index, utterance] of utterances.entries()) {
    // An utterance is known to have ended half a second later, or when the next one begins.
    const start = Math.max(end, utterance.startSeconds - PAUSE_SECONDS / 2);
    const next = utterances[index + 1]?.startSeconds ?? seconds;
    end = Math.min(next, utterance.endSeconds + PAUSE_SECONDS / 2);
    const known = Math.round(end * 16_000);
    analyser.push(samples.subarray(heard, known));
    heard = known;
    const update = speakers.add(await analyser.analyse(start, end));
    first.push(...update.turns);
    for (const { utterance: at, turns } of [update, ...update.changed]) last.set(at, turns);
  }
  return { first, last: [...last.values()].flat() };
};
