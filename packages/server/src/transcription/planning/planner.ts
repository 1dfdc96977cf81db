// Decides from voice activity which windows to recognise, while the audio arrives and at its end.
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import {
  SEGMENTER_SETTINGS,
  type SegmenterView,
  SpeechSegmenter,
  type SpeechSpan,
} from '../../speech/vad/segmenter.ts';
import { type PackOptions, packedSamples, packWindows, pausesOf } from './pack-windows.ts';
import { LATE_SPEECH_SAMPLES, LEAD_SAMPLES, type SpeechUnit, speechUnitsOf } from './speech-units.ts';
import { withVoiced } from './voiced-slices.ts';
import type { Window } from './window.ts';
import type { WindowPolicy } from './window-policy.ts';

const PADDING_SAMPLES = SEGMENTER_SETTINGS.paddingMs * SAMPLES_PER_MS;
const HANGOVER_SAMPLES = SEGMENTER_SETTINGS.hangoverMs * SAMPLES_PER_MS;

/** Speech that is not in a window yet: closed spans, and the open one up to its last word. */
const pendingSpans = (spans: readonly SpeechSpan[], view: SegmenterView, fromSample: number): SpeechSpan[] => {
  const { open } = view;
  const all = open
    ? [...spans, { ...open, endSample: Math.min(open.voicedEndSample + PADDING_SAMPLES, view.judgedSamples) }]
    : spans;
  return all.flatMap((span) => {
    const startSample = Math.max(span.startSample, fromSample);
    if (startSample >= span.endSample) return [];
    const kept = (span.endSample - startSample) / (span.endSample - span.startSample);
    return [{ startSample, endSample: span.endSample, voicedSamples: Math.round(span.voicedSamples * kept) }];
  });
};

export class Planner {
  readonly #policy: WindowPolicy;
  #spans: SpeechSpan[] = [];
  #view = new SpeechSegmenter().push([]);
  #probabilities: number[] = [];
  #firstFrame = 0;
  /** Everything before this sample is in a committed window or is silence. */
  #settledSample = 0;

  constructor(policy: WindowPolicy) {
    this.#policy = policy;
  }

  /** Samples before this one are no longer needed. */
  get neededFromSample(): number {
    return this.#settledSample;
  }

  /** Adds the voice activity of the next frames; returns the windows to commit. */
  push(view: SegmenterView, probabilities: ArrayLike<number>): Window[] {
    this.#take(view, probabilities);
    const settled: Window[] = [];
    for (let windows = this.#settle(); windows.length > 0; windows = this.#settle()) settled.push(...windows);
    this.#forget();
    return settled;
  }

  /** The windows that would be left to recognise if the recording ended here. */
  tail(): Window[] {
    return this.#planTail(this.#view.judgedSamples);
  }

  /**
   * Commits and returns those speculatively recognised windows that can be kept: they still fit the committed windows,
   * and enough speech follows them for another window.
   */
  keepRecognised(windows: readonly Window[]): readonly Window[] {
    const kept = windows.filter(({ slices }) => slices[0]!.startSample >= this.#settledSample);
    if (kept.length === 0 || this.#mayBeClip()) return [];
    const endSample = kept.at(-1)?.slices.at(-1)?.endSample ?? 0;
    const beginsWithThem = kept[0]?.slices[0]?.startSample === this.#units()[0]?.startSample;
    const tailSamples = packedSamples(this.#units(endSample));
    if (!beginsWithThem || tailSamples < this.#policy.tailSamplesMin) return [];
    this.#settledSample = endSample;
    return kept;
  }

  /** The last windows of a recording of this length. */
  end(view: SegmenterView, totalSamples: number): Window[] {
    this.#take(view, []);
    const windows = this.#planTail(totalSamples);
    this.#spans = [];
    this.#settledSample = totalSamples;
    return windows;
  }

  #take(view: SegmenterView, probabilities: ArrayLike<number>): void {
    for (let index = 0; index < probabilities.length; index++) this.#probabilities.push(probabilities[index] ?? 0);
    this.#spans.push(...view.closed);
    this.#view = view;
  }

  readonly #probabilityAt = (frame: number): number => this.#probabilities[frame - this.#firstFrame] ?? 0;

  #units(fromSample = this.#settledSample): SpeechUnit[] {
    // Half a window, so that two units always fit into one.
    const unitSamplesMax = Math.floor(this.#policy.windowSamplesMax / 2);
    return pendingSpans(this.#spans, this.#view, fromSample).flatMap((span) =>
      speechUnitsOf(span, this.#probabilityAt, unitSamplesMax),
    );
  }

  /** Windows that later audio cannot improve. */
  #settle(): Window[] {
    const { lookAheadSamples, settleAtPauseSamples } = this.#policy;
    const pending = this.#spans[0] ?? this.#view.open;
    const pendingSamples = this.#view.judgedSamples - Math.max(pending?.startSample ?? 0, this.#settledSample);
    // Most frames cannot complete a window and need no planning.
    if (!pending || pendingSamples < Math.min(lookAheadSamples, settleAtPauseSamples)) return [];
    const windows = this.#settledWindows(this.#units());
    const last = windows.at(-1)?.slices.at(-1);
    if (!last) return [];
    this.#settledSample = last.endSample;
    this.#spans = this.#spans.filter((span) => span.endSample > last.endSample);
    return windows;
  }

  #settledWindows(units: readonly SpeechUnit[]): Window[] {
    const { lookAheadSamples, settleAtPauseSamples, spreadSamplesMax } = this.#policy;
    const [first] = units;
    if (!first) return [];
    const samples = packedSamples(units);
    if (samples >= lookAheadSamples) return this.#pack(units, this.#policy).slice(0, 1);
    const waitsTooLong = this.#view.judgedSamples - first.startSample >= spreadSamplesMax;
    // Take the whole plan: planning again after its first window would change the others.
    if (!this.#view.open && (samples >= settleAtPauseSamples || waitsTooLong)) return this.tail();
    if (!waitsTooLong) return [];
    const closedEndSample = this.#spans.at(-1)?.endSample ?? 0;
    const closed = units.filter((unit) => unit.endSample <= closedEndSample);
    return this.#pack(closed, this.#policy).slice(0, 1);
  }

  #planTail(totalSamples: number): Window[] {
    const units = this.#units();
    const first = units[0];
    const last = units.at(-1);
    if (!first || !last) return [];
    if (totalSamples <= this.#policy.wholeClipSamplesMax && this.#settledSample === 0) {
      const endSample = this.#policy.wholeClipEnd === 'recording' ? totalSamples : last.endSample;
      const voicedSamples = units.reduce((total, unit) => total + unit.voicedSamples, 0);
      const window = { slices: [{ startSample: 0, endSample }], voicedSamples, pauses: pausesOf(units) };
      return [withVoiced(window, this.#probabilityAt)];
    }
    return this.#pack(units, { ...this.#policy, windowSamplesTarget: this.#balancedTarget(units) });
  }

  #pack(units: readonly SpeechUnit[], options: PackOptions): Window[] {
    return packWindows(units, options).map((window) => withVoiced(window, this.#probabilityAt));
  }

  /** A window length that keeps every slot busy to the end: the number of windows is a multiple of the slots. */
  #balancedTarget(units: readonly SpeechUnit[]): number {
    const { slots, parallelSamplesMin, windowSamplesMax, windowSamplesTarget } = this.#policy;
    const samples = packedSamples(units);
    // A little below the limit, since cuts are placed in pauses.
    const rounds = Math.ceil(samples / (slots * 0.95 * windowSamplesMax));
    const parallel = samples / (rounds * slots);
    if (parallel >= parallelSamplesMin) return parallel;
    return samples / Math.max(1, Math.round(samples / windowSamplesTarget));
  }

  /** Whether the recording may still be short enough to recognise whole. The last judged frame is padded. */
  #mayBeClip(): boolean {
    return this.#view.judgedSamples < this.#policy.wholeClipSamplesMax + VOICE_FRAME_SAMPLES;
  }

  /** Moves the committed point over silence and drops the probabilities before it. */
  #forget(): void {
    const { open, pauseSamples, judgedSamples } = this.#view;
    if (this.#mayBeClip()) return;
    const speechSample = this.#spans[0]?.startSample ?? open?.startSample;
    // Quiet speech that is not detected yet shortens the pause.
    const quietSamples = pauseSamples >= HANGOVER_SAMPLES ? LEAD_SAMPLES + VOICE_FRAME_SAMPLES : LATE_SPEECH_SAMPLES;
    this.#settledSample = Math.max(this.#settledSample, speechSample ?? judgedSamples - quietSamples);
    const frames = Math.floor(this.#settledSample / VOICE_FRAME_SAMPLES) - this.#firstFrame - 1;
    if (frames < 1000) return;
    this.#probabilities.splice(0, frames);
    this.#firstFrame += frames;
  }
}
