// Makes a voice print from a recording of one person, or refuses the recording with the reason.

import { VOICE_LIMITS } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { RETRY_AFTER_SECONDS_DEFAULT } from '../../lib/time/retry-after.ts';
import { RecogniserUnavailable, VOICE_FRAME_SAMPLES, type VoiceProbe } from '../../speech/recogniser.ts';
import { isNarrowBand } from '../../speech/speakers/bandwidth.ts';
import type { SpeakerFeatures } from '../../speech/speakers/speaker-features.ts';
import { SpeakerAnalyser } from '../speakers/analysis/analyser.ts';
import { secondsOf } from '../speakers/analysis/atoms.ts';
import { voicedSpans } from '../speakers/analysis/voiced-spans.ts';
import { diarize, type SpeakerAnalysis } from '../speakers/diarize.ts';

/** If less than this share of the audible sound is speech, the rest is music or noise. */
const SPEECH_SHARE_MIN = 0.5;
/** An audible frame has at least this RMS level and is at most this many times quieter than the loudest frame. */
const HEARD_LEVEL_MIN = 0.002;
const HEARD_BELOW_LOUDEST = 30;
const PIECE_SAMPLES = 5 * SAMPLE_RATE_HZ;

export interface EnrolledVoice {
  /** The embedding model. */
  readonly model: string;
  /** Unit length. */
  readonly embedding: Float32Array;
  readonly isNarrowBand: boolean;
  readonly speechSeconds: number;
}

export interface EnrolmentFeatures {
  readonly openSpeakers: () => Promise<SpeakerFeatures>;
  readonly openVoiceProbe: () => VoiceProbe;
}

/** `samples`: 16 kHz, at most `VOICE_LIMITS.audioSecondsMax` long. */
export const enrolVoice = async (samples: Float32Array, features: EnrolmentFeatures): Promise<EnrolledVoice> => {
  try {
    return await printFrom(samples, features);
  } catch (thrown) {
    if (!(thrown instanceof RecogniserUnavailable)) throw thrown;
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: 'The speaker models are unavailable.',
      retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
      cause: thrown,
    });
  }
};

const printFrom = async (samples: Float32Array, features: EnrolmentFeatures): Promise<EnrolledVoice> => {
  const voiced = await voicedSpans(samples, features.openVoiceProbe());
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
  const seconds = used.atoms.reduce((sum, atom) => sum + secondsOf(atom), 0);
  // Voice activity found enough speech; the speaker models must find a voice in it, too.
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

/** The atoms of the first `speechSecondsMax` seconds of speech. */
const firstSpeech = (analysis: SpeakerAnalysis): SpeakerAnalysis => {
  let seconds = 0;
  const atoms = analysis.atoms.filter((atom) => {
    if (seconds >= VOICE_LIMITS.speechSecondsMax) return false;
    seconds += secondsOf(atom);
    return true;
  });
  return { ...analysis, atoms };
};

/** Seconds of audible sound. */
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
