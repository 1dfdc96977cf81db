// Cuts spans of speech into speech units, between which a window may end without cutting a word.
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import { SEGMENTER_SETTINGS, type SpeechSpan } from '../../speech/vad/segmenter.ts';

/** The smallest part of speech that is planned. */
export interface SpeechUnit {
  readonly startSample: number;
  readonly endSample: number;
  readonly voicedSamples: number;
  /** Silence around the end of the unit, besides the gap to the next one. */
  readonly pauseSamples: number;
}

/** Speech probability of a 32 ms frame of the recording, by its number. */
export type ProbabilityAt = (frame: number) => number;

/** Frames below this count as a dip between words. */
const DIP_PROBABILITY = 0.3;
const DIP_FRAMES_MIN = 3;
/** Minimum length of a unit: the edges of a span are padding. */
const UNIT_FRAMES_MIN = 20;

/** The padding of both spans, besides the gap between them. */
const SPAN_PAUSE_SAMPLES = (SEGMENTER_SETTINGS.paddingMs + SEGMENTER_SETTINGS.leadMs) * (SAMPLE_RATE_HZ / 1000);

interface Cut {
  readonly frame: number;
  readonly pauseFrames: number;
}

/** The middles of the dips of [firstFrame, endFrame), far enough from its ends. */
const dipsOf = (firstFrame: number, endFrame: number, probabilityAt: ProbabilityAt): Cut[] => {
  const cuts: Cut[] = [];
  let from = firstFrame + UNIT_FRAMES_MIN;
  for (let frame = from; frame <= endFrame - UNIT_FRAMES_MIN; frame++) {
    if (frame < endFrame - UNIT_FRAMES_MIN && probabilityAt(frame) < DIP_PROBABILITY) continue;
    if (frame - from >= DIP_FRAMES_MIN) {
      const middle = Math.floor((from + frame) / 2);
      if (middle - (cuts.at(-1)?.frame ?? firstFrame) >= UNIT_FRAMES_MIN) {
        cuts.push({ frame: middle, pauseFrames: frame - from });
      }
    }
    from = frame + 1;
  }
  return cuts;
};

/** The frame of [fromFrame, toFrame] where speech is least probable together with its neighbours; the last such one. */
const quietestFrame = (fromFrame: number, toFrame: number, probabilityAt: ProbabilityAt): number => {
  let quietest = toFrame;
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = fromFrame; frame <= toFrame; frame++) {
    const around = probabilityAt(frame - 1) + 2 * probabilityAt(frame) + probabilityAt(frame + 1);
    if (around <= lowest) {
      lowest = around;
      quietest = frame;
    }
  }
  return quietest;
};

/** Halves a stretch without dips until no part is too long. */
const forcedCuts = (firstFrame: number, endFrame: number, framesMax: number, probabilityAt: ProbabilityAt): Cut[] => {
  const length = endFrame - firstFrame;
  if (length <= framesMax) return [];
  const margin = Math.max(1, Math.ceil(length / 4));
  const frame = quietestFrame(firstFrame + margin, endFrame - margin, probabilityAt);
  // A frame that is half speech is half a pause.
  const cut: Cut = { frame, pauseFrames: DIP_FRAMES_MIN * (1 - probabilityAt(frame)) };
  return [
    ...forcedCuts(firstFrame, frame, framesMax, probabilityAt),
    cut,
    ...forcedCuts(frame, endFrame, framesMax, probabilityAt),
  ];
};

/** The span as units that follow each other without a gap, none longer than the limit. */
export const speechUnitsOf = (span: SpeechSpan, probabilityAt: ProbabilityAt, unitSamplesMax: number): SpeechUnit[] => {
  const firstFrame = Math.ceil(span.startSample / VOICE_FRAME_SAMPLES);
  const endFrame = Math.floor(span.endSample / VOICE_FRAME_SAMPLES);
  // Leave one frame at each end of the span, which may not lie on a frame's edge.
  const framesMax = Math.floor(unitSamplesMax / VOICE_FRAME_SAMPLES) - 2;
  const dips = dipsOf(firstFrame, endFrame, probabilityAt);
  const cuts = [...dips, { frame: endFrame, pauseFrames: 0 }].flatMap((dip, index) => [
    ...forcedCuts(dips[index - 1]?.frame ?? firstFrame, dip.frame, framesMax, probabilityAt),
    dip,
  ]);
  const share = span.voicedSamples / (span.endSample - span.startSample);
  const units: SpeechUnit[] = [];
  let startSample = span.startSample;
  for (const cut of cuts) {
    const last = cut === cuts.at(-1);
    const endSample = last ? span.endSample : cut.frame * VOICE_FRAME_SAMPLES;
    units.push({
      startSample,
      endSample,
      voicedSamples: Math.round((endSample - startSample) * share),
      pauseSamples: last ? SPAN_PAUSE_SAMPLES : cut.pauseFrames * VOICE_FRAME_SAMPLES,
    });
    startSample = endSample;
  }
  return units;
};
