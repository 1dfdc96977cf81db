// Measures the throughput of a tier with enough recordings at once to keep all recognisers busy.
import type { ModelId } from '@faircopy/contract';
import { newRequestId } from '../../lib/request-id.ts';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { TranscriptionService } from '../../transcription/service.ts';

export interface TierFigures {
  readonly tier: ModelId;
  /** Seconds of speech recognised per second, with every recogniser busy. */
  readonly speed: number;
  /** Time to transcribe one recording on an idle machine. */
  readonly aloneMs: number;
  readonly aloneSpeechSeconds: number;
}

const transcribe = async (service: TranscriptionService, model: ModelId, speech: Float32Array): Promise<void> => {
  const request = {
    requestId: newRequestId(),
    accountId: newRequestId(),
    mode: 'file',
    model,
    languageHint: undefined,
    vocabulary: [],
    wantWordTimes: false,
    waitingSecondsMax: 3_600,
  } as const;
  const session = service.open(request, () => undefined);
  await session.write(speech);
  await session.finish();
};

/** Keeps `atOnce` recordings running until `seconds` have passed since the call; the last ones are finished. */
export const measureTier = async (
  service: TranscriptionService,
  tier: ModelId,
  recordings: readonly Float32Array[],
  { atOnce, seconds }: { readonly atOnce: number; readonly seconds: number },
): Promise<TierFigures> => {
  const startedMs = performance.now();
  const [first] = recordings;
  if (!first) throw new Error('there are no recordings to measure with');
  // The first run is slower, because buffers are allocated and code is compiled.
  await transcribe(service, tier, first);
  const aloneFrom = performance.now();
  await transcribe(service, tier, first);
  const aloneMs = performance.now() - aloneFrom;
  const from = performance.now();
  let begun = 0;
  let samples = 0;
  const worker = async () => {
    // Runs at least once, however slow the machine is.
    while (begun === 0 || performance.now() - startedMs < seconds * 1000) {
      const speech = recordings[begun % recordings.length]!;
      begun += 1;
      await transcribe(service, tier, speech);
      samples += speech.length;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const speed = samples / SAMPLE_RATE_HZ / ((performance.now() - from) / 1000);
  return { tier, speed, aloneMs, aloneSpeechSeconds: first.length / SAMPLE_RATE_HZ };
};
