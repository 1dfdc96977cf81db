// Makes a voice print from a recording of one person, or refuses the recording with the reason.

import { VOICE_LIMITS } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { RecogniserUnavailable, VOICE_FRAME_SAMPLES, type VoiceProbe } from '../../speech/recogniser.ts';
import { isNarrowBand } from '../../speech/speakers/bandwidth.ts';
import { SECONDS_PER_FRAME } from '../../speech/speakers/frames.ts';
import type { SpeakerFeatures } from '../../speech/speakers/speaker-features.ts';
import { SpeakerAnalyser } from '../speakers/analysis/analyser.ts';
import { voicedSpans } from '../speakers/analysis/voiced-spans.ts';
import { diarize, type SpeakerAnalysis } from '../speakers/diarize.ts';

/** Less of what is heard is speech: music or noise. */
const SPEECH_SHARE_MIN = 0.5;
/** A frame is heard if it is this loud, and not this much quieter than the loudest. */
const HEARD_LEVEL_MIN = 0.002;
const HEARD_BELOW_LOUDEST = 30;
const RETRY_AFTER_SECONDS = 5;
const PIECE_SAMPLES = 5 * SAMPLE_RATE_HZ;

export interface EnrolledVoice {
  /** The embedding model. */
  readonly model: string;
  /** Of length one. */
  readonly embedding: Float32Array;
  readonly isNarrowBand: boolean;
  readonly speechSeconds: number;
}

export interface EnrolmentFeatures {
  readonly openSpeakers: () => Promise<SpeakerFeatures>;
  readonly openVoiceProbe: () => VoiceProbe;
}

/** 16 kHz samples of at most `audioSecondsMax`. */
export const enrolVoice = async (samples: Float32Array, features: EnrolmentFeatures): Promise<EnrolledVoice> => {
  try {
    return await printFrom(samples, features);
  } catch (thrown) {
    if (!(thrown instanceof RecogniserUnavailable)) throw thrown;
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: 'The models for speakers cannot be used now.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: thrown,
    });
  }
};

const printFrom = async (samples: Float32Array, features: EnrolmentFeatures): Promise<EnrolledVoice> => {
  const voiced = await voicedIn(samples, features);
  const voicedSeconds = voiced.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  checkSpeech(voicedSeconds, heardSeconds(samples));
  const speakers = await features.openSpeakers();
  const analyser = new SpeakerAnalyser(speakers);
  for (const { startSeconds, endSeconds } of voiced) analyser.addSpeech(startSeconds, endSeconds);
  for (let start = 0; start < samples.length; start += PIECE_SAMPLES)
    await analyser.push(samples.subarray(start, start + PIECE_SAMPLES));
  return { model: speakers.embedding.id, ...printOf(await analyser.end(), voicedSeconds) };
};

/** Throws if too little of what is heard is speech. */
export const checkSpeech = (speechSeconds: number, heard: number): void => {
  if (heard >= VOICE_LIMITS.speechSecondsMin && speechSeconds < SPEECH_SHARE_MIN * heard)
    throw new Fault('VOICE_UNCLEAR', {
      message: `Only ${speechSeconds.toFixed(1)} of ${heard.toFixed(1)} seconds of sound are speech: the rest is music or noise.`,
    });
  if (speechSeconds < VOICE_LIMITS.speechSecondsMin)
    throw new Fault('VOICE_TOO_SHORT', {
      message: `The recording has ${speechSeconds.toFixed(1)} seconds of speech. At least ${VOICE_LIMITS.speechSecondsMin} are needed.`,
    });
};

export const printOf = (analysis: SpeakerAnalysis, voicedSeconds: number): Omit<EnrolledVoice, 'model'> => {
  const used = firstSpeech(analysis);
  const { speakers } = diarize(used);
  const seconds =
    used.atoms.reduce((sum, { fromFrame, toFrame }) => sum + (toFrame - fromFrame), 0) * SECONDS_PER_FRAME;
  // Voice activity has found enough; what is left must be a voice for the speaker models too.
  if (speakers.length === 0 || seconds < SPEECH_SHARE_MIN * Math.min(voicedSeconds, VOICE_LIMITS.speechSecondsMax))
    throw new Fault('VOICE_UNCLEAR');
  if (speakers.length > 1)
    throw new Fault('VOICES_MIXED', {
      message: 'The recording has more than one voice. Only the person to enrol may speak.',
    });
  return {
    embedding: speakers[0]!.embedding,
    isNarrowBand: isNarrowBand(analysis.band),
    speechSeconds: Math.min(voicedSeconds, VOICE_LIMITS.speechSecondsMax),
  };
};

/** The atoms of the first seconds of speech. */
const firstSpeech = (analysis: SpeakerAnalysis): SpeakerAnalysis => {
  let seconds = 0;
  const atoms = analysis.atoms.filter(({ fromFrame, toFrame }) => {
    if (seconds >= VOICE_LIMITS.speechSecondsMax) return false;
    seconds += (toFrame - fromFrame) * SECONDS_PER_FRAME;
    return true;
  });
  return { ...analysis, atoms };
};

const voicedIn = async (samples: Float32Array, { openVoiceProbe }: EnrolmentFeatures) => {
  const probe = openVoiceProbe();
  try {
    const probabilities = [...(await probe.push(samples)), ...(await probe.flush())];
    return voicedSpans(probabilities, VOICE_FRAME_SAMPLES / SAMPLE_RATE_HZ);
  } finally {
    probe.close();
  }
};

/** Seconds that are not silent. */
export const heardSeconds = (samples: Float32Array): number => {
  const levels: number[] = [];
  for (let start = 0; start + VOICE_FRAME_SAMPLES <= samples.length; start += VOICE_FRAME_SAMPLES) {
    let energy = 0;
    for (let at = start; at < start + VOICE_FRAME_SAMPLES; at++) energy += samples[at]! * samples[at]!;
    levels.push(Math.sqrt(energy / VOICE_FRAME_SAMPLES));
  }
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
  const least = Math.max(HEARD_LEVEL_MIN, loudest / HEARD_BELOW_LOUDEST);
  return (levels.filter((level) => level >= least).length * VOICE_FRAME_SAMPLES) / SAMPLE_RATE_HZ;
};
