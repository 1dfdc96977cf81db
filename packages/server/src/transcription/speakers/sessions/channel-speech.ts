// Finds who speaks when in a stereo call with one person per channel.
import { CHANNEL_BLOCK_SECONDS, HEARD } from '../../../audio/channel-activity.ts';
import { isNarrowBand } from '../../../speech/speakers/bandwidth.ts';
import { frameStartSeconds } from '../../../speech/speakers/frames.ts';
import type { SpeakerAnalysis } from '../diarize.ts';
import type { DiarizedSpeaker, SpeakerTurn } from '../types.ts';
import { addScaled, normalise } from '../vectors.ts';
import type { FoundSpeech } from './transcript-speakers.ts';

/** At least this share of the blocks with sound must be heard in one channel alone … */
const ALONE_SHARE_MIN = 0.6;
/** … and each channel alone must have at least this share, and this many seconds. */
const CHANNEL_SHARE_MIN = 0.05;
const CHANNEL_SECONDS_MIN = 1;
/** With more than this share alike in both channels, they hold the same recording. */
const SAME_SHARE_MAX = 0.25;
/** Shorter pauses do not end a turn. */
const PAUSE_BLOCKS = Math.round(0.3 / CHANNEL_BLOCK_SECONDS);
const TURN_BLOCKS_MIN = Math.round(0.1 / CHANNEL_BLOCK_SECONDS);
const CONFIDENCE = 0.95;

/** Whether the channels hold different people, unlike a mono recording duplicated to stereo. */
export const areTwoPeople = (activity: Uint8Array): boolean => {
  const blocks = [0, 0, 0, 0, 0];
  for (const heard of activity) blocks[heard]! += 1;
  const { first, second, same, neither } = HEARD;
  const heard = activity.length - blocks[neither]!;
  const least = Math.max(CHANNEL_SHARE_MIN * heard, CHANNEL_SECONDS_MIN / CHANNEL_BLOCK_SECONDS);
  return (
    Math.min(blocks[first]!, blocks[second]!) >= least &&
    blocks[first]! + blocks[second]! >= ALONE_SHARE_MIN * heard &&
    blocks[same]! <= SAME_SHARE_MAX * heard
  );
};

/** Turns of one channel. */
const turnsIn = (activity: Uint8Array, alone: number, speaker: number): SpeakerTurn[] => {
  const turns: { from: number; to: number }[] = [];
  activity.forEach((heard, block) => {
    if (heard !== alone && heard !== HEARD.both) return;
    const last = turns.at(-1);
    if (last && block - last.to < PAUSE_BLOCKS) last.to = block + 1;
    else turns.push({ from: block, to: block + 1 });
  });
  return turns
    .filter(({ from, to }) => to - from >= TURN_BLOCKS_MIN)
    .map(({ from, to }) => ({
      startSeconds: from * CHANNEL_BLOCK_SECONDS,
      endSeconds: to * CHANNEL_BLOCK_SECONDS,
      speaker,
    }));
};

/** The analysis provides the voice of each channel, so that known voices can be named. */
export const channelSpeech = (activity: Uint8Array, { atoms, band }: SpeakerAnalysis): FoundSpeech => {
  const indexOf = (heard: number): number => {
    const at = activity.indexOf(heard);
    return at === -1 ? activity.length : at;
  };
  const order = [HEARD.first, HEARD.second].sort((a, b) => indexOf(a) - indexOf(b));
  const turns = order
    .flatMap((alone, speaker) => turnsIn(activity, alone, speaker))
    .sort((a, b) => a.startSeconds - b.startSeconds || a.speaker - b.speaker);
  const speakers = order.map((alone, speaker): DiarizedSpeaker => {
    const embedding = new Float32Array(atoms[0]?.embedding.length ?? 0);
    for (const atom of atoms) {
      const middleSeconds = (frameStartSeconds(atom.fromFrame) + frameStartSeconds(atom.toFrame)) / 2;
      if (activity[Math.floor(middleSeconds / CHANNEL_BLOCK_SECONDS)] === alone)
        addScaled(embedding, atom.embedding, atom.pooledSeconds);
    }
    const own = turns.filter((turn) => turn.speaker === speaker);
    const seconds = own.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
    return { speaker, embedding: normalise(embedding), seconds };
  });
  return {
    turns,
    spans: turns.map((turn) => ({ ...turn, confidence: CONFIDENCE })),
    speakers,
    isNarrowBand: isNarrowBand(band),
  };
};
