// Voices sent with a request: short clips of people who may speak in its recording. They are never stored.
import { randomUUID } from 'node:crypto';
import { joinSamples } from '../../audio/join-samples.ts';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { deferred } from '../../lib/time/deferred.ts';
import type { SpeakerFeatures } from '../../speech/speakers/speaker-features.ts';
import { SpeakerAnalyser } from '../speakers/analysis/analyser.ts';
import { diarize } from '../speakers/diarize.ts';
import type { SpeakerNames } from '../speakers/speaker-names.ts';
import { KnownVoiceNames } from './known-voice-names.ts';
import type { VoicePrint } from './name-speakers.ts';

export const REQUEST_VOICES = { countMax: 4, secondsMin: 2, secondsMax: 10 } as const;
/** Tolerance, because encoders pad clips a little. */
const SECONDS_SLACK = 0.5;

export interface VoiceClip {
  readonly name: string;
  readonly audio: Uint8Array;
}

export interface VoiceReading {
  readonly openDecoder: () => LiveDecoder;
  readonly features: () => Promise<SpeakerFeatures>;
}

export class RequestVoices {
  readonly #names = deferred<SpeakerNames>();

  constructor() {
    // Avoids an unhandled rejection; callers that await `names` still get the failure.
    this.#names.promise.catch(() => undefined);
  }

  get names(): Promise<SpeakerNames> {
    return this.#names.promise;
  }

  /** Settles `names`; never rejects itself. Faults mention `field`. */
  async read(clips: readonly VoiceClip[], field: string, reading: VoiceReading): Promise<void> {
    try {
      const prints: VoicePrint[] = [];
      for (const clip of clips) prints.push(await printOf(clip, field, reading));
      const { embedding } = await reading.features();
      this.#names.resolve(new KnownVoiceNames(prints, embedding.similarities));
    } catch (thrown) {
      this.#names.reject(thrown);
    }
  }
}

const printOf = async ({ name, audio }: VoiceClip, field: string, reading: VoiceReading): Promise<VoicePrint> => {
  const samples = await decoded(audio, field, reading);
  const seconds = samples.length / SAMPLE_RATE_HZ;
  const { secondsMin, secondsMax } = REQUEST_VOICES;
  if (seconds < secondsMin - SECONDS_SLACK || seconds > secondsMax + SECONDS_SLACK)
    throw invalidRequest(`A clip in "${field}" must be ${secondsMin} to ${secondsMax} seconds long.`, field);
  const analyser = new SpeakerAnalyser(await reading.features());
  // Without the segmentation model, the whole clip counts as speech.
  analyser.addSpeech(0, seconds);
  await analyser.push(samples);
  const { speakers, isNarrowBand } = diarize(await analyser.end(), { count: 1 });
  const [voice] = speakers;
  if (!voice) throw invalidRequest(`A clip in "${field}" contains no speech.`, field);
  return { id: randomUUID(), name, embedding: voice.embedding, isNarrowBand };
};

const decoded = async (audio: Uint8Array, field: string, { openDecoder }: VoiceReading): Promise<Float32Array> => {
  const decoder = openDecoder();
  const pieces: Float32Array[] = [];
  try {
    const written = decoder.write(audio).then(() => decoder.end());
    for await (const samples of decoder) pieces.push(samples);
    await written;
  } catch (thrown) {
    const isTheirs = thrown instanceof Fault && ['AUDIO_FORMAT_UNSUPPORTED', 'AUDIO_TOO_LONG'].includes(thrown.code);
    throw isTheirs ? invalidRequest(`A clip in "${field}" cannot be read as audio of up to 10 s.`, field) : thrown;
  } finally {
    decoder.abort();
  }
  return joinSamples(pieces);
};
