// Follows voice activity and ends utterances at a silence, at a maximum length, or on request.
import { secondsToSamples } from '../../audio/pcm.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import {
  SEGMENTER_SETTINGS,
  type SegmenterView,
  SpeechSegmenter,
  type SpeechSpan,
} from '../../speech/vad/segmenter.ts';
import { pausesOf } from './pack-windows.ts';
import { LATE_SPEECH_SAMPLES, type SpeechUnit, speechUnitsOf } from './speech-units.ts';
import { voicedSlicesOf } from './voiced-slices.ts';
import { type Slice, stretchesOf, type VoicedStretch, type Window } from './window.ts';

/** Below this, pauses between words would end an utterance. */
const ENDPOINTING_MS_MIN = 200;
/** Speculation starts this long before the endpoint. */
const HEAD_START_MS = 64;
/** Silence after which an eager tracker has an open window. Voice activity outlasts the voice, so no sound is lost. */
const EAGER_PADDING_MS = 96;
/** From this length on, cut an utterance at its best pause. About as long as windows of files, for accuracy. */
const LONG_SAMPLES = secondsToSamples(15);
/** From this length on, cut an utterance even without a pause. */
const TOO_LONG_SAMPLES = secondsToSamples(20);
/** Minimum length before and after a cut. */
const BEFORE_CUT_SAMPLES = secondsToSamples(3);
const AFTER_CUT_SAMPLES = secondsToSamples(0.5);
/** A voice that has not become speech after this many frames is noise. */
const UNCERTAIN_FRAMES_MAX = 10;
/** Minimum pause at which to cut an utterance that is not too long yet. */
const CUT_PAUSE_SAMPLES = secondsToSamples(0.1);

export interface Utterance {
  readonly window: Window;
  readonly endSample: number;
  readonly endedBy: 'endpoint' | 'length' | 'flush' | 'end';
}

export interface OpenUtterance {
  readonly startSample: number;
  readonly voicedEndSample: number;
}

export type TrackedEvent =
  /** `isContinued`: the speech continues after a flush. */
  | { readonly type: 'speech_started'; readonly sample: number; readonly isContinued: boolean }
  | { readonly type: 'speech_ended'; readonly sample: number }
  | { readonly type: 'utterance'; readonly utterance: Utterance }
  /** Speech ended after its last utterance was cut for length, with nothing said since. */
  | { readonly type: 'endpoint'; readonly sample: number };

export class UtteranceTracker {
  readonly #segmenter: SpeechSegmenter;
  readonly #paddingSamples: number;
  readonly #endpoint: 'endpoint' | 'length';
  #view: SegmenterView;
  #probabilities: number[] = [];
  #firstFrame = 0;
  /** Everything before this sample belongs to ended utterances. */
  #fromSample = 0;
  /** Audio before this sample may have been dropped. */
  #heldFromSample = 0;
  /** A flush ended the silence before this sample: nothing was said there. */
  #silentBeforeSample = 0;
  /** `flushed`: a flush ended the utterance in the middle of speech, and nothing was said since. */
  #speech: 'none' | 'heard' | 'flushed' = 'none';
  /** Whether the last utterance was cut for length. */
  #wasCut = false;

  /** `isEager`: the open window is wanted as soon as the speaker may have finished. */
  constructor(endpointingMs: number | null, isEager = false) {
    const hangoverMs = Math.max(ENDPOINTING_MS_MIN, endpointingMs ?? SEGMENTER_SETTINGS.hangoverMs);
    const longestMs = isEager ? EAGER_PADDING_MS : SEGMENTER_SETTINGS.paddingMs;
    const paddingMs = Math.min(longestMs, hangoverMs - HEAD_START_MS);
    this.#segmenter = new SpeechSegmenter({ ...SEGMENTER_SETTINGS, hangoverMs, paddingMs });
    this.#view = this.#segmenter.push([]);
    this.#paddingSamples = paddingMs * SAMPLES_PER_MS;
    this.#endpoint = endpointingMs === null ? 'length' : 'endpoint';
  }

  /** The utterance being spoken, once it is certain to be speech. */
  get open(): OpenUtterance | null {
    const { open } = this.#view;
    if (!open || open.voicedEndSample <= this.#fromSample) return null;
    return {
      startSample: this.#startOf(open),
      voicedEndSample: open.voicedEndSample,
    };
  }

  get judgedSamples(): number {
    return this.#view.judgedSamples;
  }

  /** Nobody speaks up to this sample. A voice at the end that is too short to be speech may still become speech. */
  get silentUntilSample(): number {
    const { judgedSamples, pauseSamples } = this.#view;
    if (pauseSamples > 0) return judgedSamples;
    const lastFrame = Math.floor(judgedSamples / VOICE_FRAME_SAMPLES);
    let frame = lastFrame;
    while (this.#probabilityAt(frame - 1) >= SEGMENTER_SETTINGS.holdProbability) frame -= 1;
    return lastFrame - frame <= UNCERTAIN_FRAMES_MAX ? frame * VOICE_FRAME_SAMPLES : judgedSamples;
  }

  /** Samples before this one are no longer needed. */
  get neededFromSample(): number {
    return this.open?.startSample ?? Math.max(this.#fromSample, this.judgedSamples - LATE_SPEECH_SAMPLES);
  }

  /** The open utterance as if it ended here; null until the silence after it is as long as its padding. */
  get openWindow(): Window | null {
    const { open } = this;
    if (!open || this.#view.pauseSamples < this.#paddingSamples) return null;
    return this.#windowOf(this.#openSpan(open.voicedEndSample + this.#paddingSamples));
  }

  /** Stretches with a voice from this sample on, as far back as probabilities are kept. */
  voicedSince(startSample: number): VoicedStretch[] {
    const from = Math.max(startSample, this.#firstFrame * VOICE_FRAME_SAMPLES);
    return stretchesOf(voicedSlicesOf({ startSample: from, endSample: this.judgedSamples }, this.#probabilityAt));
  }

  push(probabilities: ArrayLike<number>): TrackedEvent[] {
    for (let at = 0; at < probabilities.length; at++) this.#probabilities.push(probabilities[at] ?? 0);
    const events = this.#take(this.#segmenter.push(probabilities), this.#endpoint);
    for (let cut = this.#cutSample(); cut !== null; cut = this.#cutSample()) {
      events.push({ type: 'utterance', utterance: this.#end(this.#openSpan(cut), 'length') });
    }
    this.#forget();
    return events;
  }

  /** Ends the open utterance in its present pause, before the endpoint. */
  endAtPause(): TrackedEvent[] {
    return this.#take(this.#segmenter.close(), this.#endpoint);
  }

  /** Ends the open utterance here; null when nobody speaks. */
  flush(): Utterance | null {
    if (!this.open) return null;
    this.#speech = 'flushed';
    return this.#end(this.#openSpan(this.judgedSamples), 'flush');
  }

  /** Ends the current silence and returns its end. A voice that may become speech is not part of it. */
  endSilence(): number {
    const { judgedSamples, uncertainSample } = this.#view;
    const noticedSample = judgedSamples - UNCERTAIN_FRAMES_MAX * VOICE_FRAME_SAMPLES;
    const end = uncertainSample === null ? judgedSamples : Math.max(noticedSample, uncertainSample);
    this.#silentBeforeSample = Math.max(this.#fromSample, end);
    return this.#silentBeforeSample;
  }

  /** Ends the stream at this length; returns the last events. */
  end(totalSamples: number): TrackedEvent[] {
    return this.#take(this.#segmenter.end(totalSamples), 'end');
  }

  #take(view: SegmenterView, endedBy: Utterance['endedBy']): TrackedEvent[] {
    const events: TrackedEvent[] = [];
    for (const span of view.closed) {
      const rest = this.#restOf(span);
      if (rest) events.push(...this.#heard(rest));
      const isOver = this.#speech !== 'none';
      if (isOver) events.push({ type: 'speech_ended', sample: this.#voiceEnd(span) });
      this.#speech = 'none';
      if (rest) events.push({ type: 'utterance', utterance: this.#end(rest, endedBy) });
      else if (isOver && this.#wasCut && endedBy === 'endpoint')
        events.push({ type: 'endpoint', sample: Math.max(this.#fromSample, span.endSample) });
      this.#wasCut = false;
    }
    this.#view = view;
    const { open } = this;
    if (open) events.push(...this.#heard({ startSample: open.startSample, endSample: open.voicedEndSample }));
    return events;
  }

  /** Reports that speech was heard in this slice, unless speech has already started. */
  #heard(slice: Slice): TrackedEvent[] {
    if (this.#speech === 'heard') return [];
    const isContinued = this.#speech === 'flushed';
    this.#speech = 'heard';
    return [{ type: 'speech_started', sample: this.#voiceStart(slice, isContinued), isContinued }];
  }

  /** The first sample of the voice in a span. In speech that continues after a flush, a faint voice counts, too. */
  #voiceStart({ startSample, endSample }: Slice, isContinued: boolean): number {
    const { holdProbability, onsetProbability } = SEGMENTER_SETTINGS;
    const fromSample = Math.max(startSample, this.#silentBeforeSample);
    const endFrame = endSample / VOICE_FRAME_SAMPLES;
    const first = (probability: number): number | undefined => {
      for (let frame = Math.floor(fromSample / VOICE_FRAME_SAMPLES); frame < endFrame; frame++)
        if (this.#probabilityAt(frame) >= probability) return Math.max(fromSample, frame * VOICE_FRAME_SAMPLES);
      return undefined;
    };
    return (isContinued ? undefined : first(onsetProbability)) ?? first(holdProbability) ?? fromSample;
  }

  /** One past the last sample of the voice in a span. */
  #voiceEnd({ startSample, endSample }: Slice): number {
    const firstFrame = Math.floor(startSample / VOICE_FRAME_SAMPLES);
    let frame = Math.ceil(endSample / VOICE_FRAME_SAMPLES);
    while (frame > firstFrame && this.#probabilityAt(frame - 1) < SEGMENTER_SETTINGS.holdProbability) frame -= 1;
    return Math.min(endSample, frame > firstFrame ? frame * VOICE_FRAME_SAMPLES : this.#fromSample);
  }

  /** The part of a span that is not in an utterance yet; null when it is only silence. */
  #restOf(span: SpeechSpan): SpeechSpan | null {
    const startSample = this.#startOf(span);
    if (startSample >= this.#voiceEnd(span)) return null;
    const share = (span.endSample - startSample) / (span.endSample - span.startSample);
    return { startSample, endSample: span.endSample, voicedSamples: Math.round(span.voicedSamples * share) };
  }

  #openSpan(endSample: number): SpeechSpan {
    const open = this.#view.open!;
    const startSample = this.#startOf(open);
    const share = (endSample - startSample) / Math.max(1, open.voicedEndSample - open.startSample);
    return { startSample, endSample, voicedSamples: Math.round(open.voicedSamples * Math.min(1, share)) };
  }

  /** Quiet speech that was detected late begins no earlier than the audio that is still held. */
  #startOf({ startSample }: { readonly startSample: number }): number {
    return Math.max(startSample, this.#fromSample, this.#heldFromSample);
  }

  #end(span: SpeechSpan, endedBy: Utterance['endedBy']): Utterance {
    const window = this.#windowOf(span);
    this.#fromSample = span.endSample;
    this.#wasCut = endedBy === 'length';
    return { window, endSample: span.endSample, endedBy };
  }

  #windowOf(span: SpeechSpan): Window {
    const { startSample, endSample, voicedSamples } = span;
    const spoken = { startSample: Math.max(startSample, this.#silentBeforeSample), endSample };
    return {
      slices: [{ startSample, endSample }],
      voicedSamples,
      pauses: pausesOf(this.#units(span)),
      voiced: voicedSlicesOf(spoken, this.#probabilityAt),
    };
  }

  #units(span: SpeechSpan): SpeechUnit[] {
    return speechUnitsOf(span, this.#probabilityAt, Math.floor(TOO_LONG_SAMPLES / 2));
  }

  readonly #probabilityAt = (frame: number): number => this.#probabilities[frame - this.#firstFrame] ?? 0;

  /** Where to cut a long utterance: at its longest pause, or near its end when it is too long. Null: not yet. */
  #cutSample(): number | null {
    const { open, judgedSamples } = this;
    if (!open || judgedSamples - open.startSample < LONG_SAMPLES) return null;
    const isTooLong = judgedSamples - open.startSample >= TOO_LONG_SAMPLES;
    const earliest = open.startSample + BEFORE_CUT_SAMPLES;
    const latest = judgedSamples - AFTER_CUT_SAMPLES;
    const span = this.#openSpan(judgedSamples);
    const places = pausesOf(this.#units(span))
      .filter(({ sample }) => sample >= earliest && sample <= latest)
      .filter(({ pauseSamples }) => isTooLong || pauseSamples >= CUT_PAUSE_SAMPLES)
      .sort((a, b) => b.pauseSamples - a.pauseSamples);
    return places[0]?.sample ?? (isTooLong ? latest : null);
  }

  #forget(): void {
    this.#heldFromSample = this.neededFromSample;
    // After a flush, the end of the voice must still be found.
    const keptFrom = Math.min(this.neededFromSample, this.judgedSamples - LATE_SPEECH_SAMPLES);
    const frames = Math.floor(keptFrom / VOICE_FRAME_SAMPLES) - this.#firstFrame - 1;
    if (frames < 100) return;
    this.#probabilities.splice(0, frames);
    this.#firstFrame += frames;
  }
}
