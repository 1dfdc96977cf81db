// Adapts Whisper to the acoustic model interface: multilingual with language detection, or English only.
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { AcousticModel, MultilingualModel, MultilingualSpeech, SampleRange } from '../acoustic/acoustic-model.ts';
import { freeTensors } from '../acoustic/free-tensors.ts';
import type { DecoderState } from '../acoustic/token-cache.ts';
import { HOP_SAMPLES } from '../features/log-mel.ts';
import { detectLanguage } from './detect-language.ts';
import { encodeAudio, transcribe, transcribeBeginning, type Whisper } from './transcribe.ts';
import { whisperWords, whisperWordTimes } from './word-times.ts';

/** The encoder halves the frames of the spectrogram. */
const SAMPLES_PER_POSITION = 2 * HOP_SAMPLES;

const commonOf = (whisper: Whisper) => ({
  id: whisper.id,
  languages: new Set(whisper.tokenizer.languages.keys()),
  encode: async (samples: Float32Array) => encodedSpeech(whisper, samples, await encodeAudio(whisper, samples)),
  freeSpeech: () => whisper.graphs.freeAudio(),
  close: () => whisper.graphs.close(),
});

export const whisperModel = (whisper: Whisper): MultilingualModel => ({
  ...commonOf(whisper),
  detectsLanguage: true,
  async warmUp() {
    const speech = await this.encode(new Float32Array(SAMPLE_RATE_HZ));
    await speech.detectLanguage();
  },
});

export const whisperEnglishModel = (whisper: Whisper): AcousticModel => ({
  ...commonOf(whisper),
  detectsLanguage: false,
  async warmUp() {
    const speech = await this.encode(new Float32Array(SAMPLE_RATE_HZ));
    await speech.transcribe({ language: 'en', checkpoint: () => undefined });
  },
});

const encodedSpeech = (whisper: Whisper, samples: Float32Array, audio: DecoderState): MultilingualSpeech => {
  const { graphs, tokenizer } = whisper;
  const audioMs = samples.length / SAMPLES_PER_MS;
  const detectPart = async ({ fromSample, toSample }: SampleRange) => {
    const [from, to] = [Math.floor(fromSample / SAMPLES_PER_POSITION), Math.ceil(toSample / SAMPLES_PER_POSITION)];
    const part = graphs.part(audio, from, to);
    const languages = await detectLanguage(graphs, tokenizer, part);
    freeTensors(Object.values(part.audio));
    return languages;
  };
  return {
    transcribe: (options) => transcribe(whisper, audio, samples, options),
    words: (hypothesis) => whisperWords(whisper, hypothesis),
    wordTimes: (hypothesis, language) => whisperWordTimes(whisper, audio, hypothesis, language, audioMs),
    detectLanguage: (part) => (part ? detectPart(part) : detectLanguage(graphs, tokenizer, audio)),
    transcribeBeginning: (language, averageMin, checkpoint) =>
      transcribeBeginning(whisper, audio, language, averageMin, checkpoint),
  };
};
