// Measures what this machine recognises: the speech of our own sample, as many recordings at once as keep it busy.
import { readFile } from 'node:fs/promises';
import type { ModelId } from '@faircopy/contract';
import type { UploadDecoding } from '../../audio/decode.ts';
import { newRequestId } from '../../platform/request-id.ts';
import type { TranscriptionService } from '../../transcription/service.ts';

const SAMPLE_RATE_HZ = 16_000;
/** As long as one window and a bit: what people say in one go. */
const CLIP_SECONDS_MIN = 20;

export interface TierFigures {
  readonly tier: ModelId;
  /** Seconds of speech recognised in a second, with every recogniser busy. */
  readonly speed: number;
  /** From the end of a short recording to its text, with nothing else to do. */
  readonly aloneMs: number;
}

/** Our sample, repeated to the length of a usual recording. */
export const sampleSpeech = async (decoding: UploadDecoding, path: string): Promise<Float32Array> => {
  const decoder = decoding.open({ maxDurationSeconds: 600 });
  const chunks: Float32Array[] = [];
  const reading = (async () => {
    for await (const chunk of decoder) chunks.push(chunk);
  })();
  await decoder.write(await readFile(path));
  decoder.end();
  await reading;
  const once = chunks.reduce((sum, { length }) => sum + length, 0);
  const times = Math.ceil((CLIP_SECONDS_MIN * SAMPLE_RATE_HZ) / once);
  const speech = new Float32Array(once * times);
  let at = 0;
  for (let round = 0; round < times; round += 1)
    for (const chunk of chunks) {
      speech.set(chunk, at);
      at += chunk.length;
    }
  return speech;
};

const transcribe = async (service: TranscriptionService, model: ModelId, speech: Float32Array): Promise<void> => {
  const session = service.open({
    ...{ requestId: newRequestId(), accountId: newRequestId(), mode: 'file', model, languageHint: undefined },
    ...{ vocabulary: [], wantWordTimes: false, waitingSecondsMax: 3_600 },
  });
  await session.write(speech);
  await session.finish();
};

/** `atOnce` recordings at any time, for about `seconds`. */
export const measureTier = async (
  service: TranscriptionService,
  tier: ModelId,
  speech: Float32Array,
  { atOnce, seconds }: { readonly atOnce: number; readonly seconds: number },
): Promise<TierFigures> => {
  const speechSeconds = speech.length / SAMPLE_RATE_HZ;
  // The first is slower: buffers are made, code is compiled.
  await transcribe(service, tier, speech);
  const aloneFrom = performance.now();
  await transcribe(service, tier, speech);
  const aloneMs = performance.now() - aloneFrom;
  const from = performance.now();
  let done = 0;
  const worker = async () => {
    do {
      await transcribe(service, tier, speech);
      done += 1;
    } while (performance.now() - from < seconds * 1000);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { tier, speed: (done * speechSeconds) / ((performance.now() - from) / 1000), aloneMs };
};
