// The policy `utterances`: voice activity cuts the stream into utterances, and each gets one final, in order.
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { RefineInput } from '../../refine/refiner.ts';
import { joinedText } from '../../refine/token.ts';
import { CONTOUR_SAMPLES } from '../../speech/turns/contour.ts';
import { Interims } from '../interims/interims.ts';
import { type LanguageEvidence, voteLanguage } from '../language/vote.ts';
import { type TrackedEvent, type Utterance, UtteranceTracker } from '../planning/utterance-tracker.ts';
import { voicedMs, type Window, windowEndMs, windowStartMs } from '../planning/window.ts';
import { appliedTerms } from '../recognition/applied-terms.ts';
import type { RecognisedWindow } from '../recognition/assemble.ts';
import { placeWords } from '../recognition/place-words.ts';
import type { WindowTemplate } from '../recognition/window-work.ts';
import type { LiveUpdate } from '../speakers/live-speakers.ts';
import { RecentFinals } from '../speakers/sessions/recent-finals.ts';
import { isOpenEnded, joinRecognised, joinRefined, SHORT_PAUSE_MS } from '../text/final-joins.ts';
import type { RefinementResult } from '../text/refinement-stage.ts';
import type { Final, FinalPolicy, SessionSummary, TranscriptText } from '../transcriber.ts';
import { EMPTY_TEXT } from '../transcript-collector.ts';
import { EarlyEnds } from '../turns/early-ends.ts';
import { Turns } from '../turns/turns.ts';
import type { SessionContext, SessionPolicy } from './session-policy.ts';

const msOf = (sample: number): number => sample / SAMPLES_PER_MS;

/** The part of the recognition request that depends on the policy for finals. */
export const liveTemplate = (finals: FinalPolicy): Pick<WindowTemplate, 'isCaptioned' | 'endsAtShortPause'> => {
  if (finals.kind === 'whole') return {};
  const { endpointingMs, wantInterims, turns } = finals;
  // The end of a turn must not wait for a check of its full stop.
  const endsAtShortPause = !turns && endpointingMs !== null && endpointingMs < SHORT_PAUSE_MS;
  return { ...(wantInterims && { isCaptioned: true }), ...(endsAtShortPause && { endsAtShortPause }) };
};

export class Utterances implements SessionPolicy {
  readonly answer = 'worked';
  readonly #context: SessionContext;
  readonly #tracker: UtteranceTracker;
  readonly #endpointingMs: number;
  readonly #interims: Interims | undefined;
  readonly #recentFinals: RecentFinals | undefined;
  readonly #turns: Turns | undefined;
  readonly #earlyEnds: EarlyEnds | undefined;
  /** Where the next final begins. */
  #finalFromSample = 0;
  /** Resolves when every final started so far has been emitted. */
  #emitted: Promise<void> = Promise.resolve();
  #pendingFinals = 0;
  #silentMs = -1;
  /** Whether the sentence of the last final continues in the next one. */
  #isOpenEnded: Promise<boolean> = Promise.resolve(false);
  /** Resolves when every utterance so far has its text. */
  #transcribed: Promise<unknown> = Promise.resolve();
  readonly #votes: LanguageEvidence[] = [];
  #outputTokenCount = 0;
  #refinementFallback: string | null = null;
  #endingMs = 0;

  constructor(context: SessionContext, policy: Extract<FinalPolicy, { kind: 'utterances' }>) {
    const { scheduler, buffer, request, template, clock, emit } = context;
    this.#context = context;
    this.#endpointingMs = policy.endpointingMs ?? 0;
    this.#tracker = new UtteranceTracker(policy.endpointingMs, policy.turns !== undefined);
    if (policy.turns) {
      this.#turns = new Turns({ thresholds: policy.turns, detector: context.turnDetector, emit });
      this.#earlyEnds = new EarlyEnds({
        turns: this.#turns,
        tracker: this.#tracker,
        isUpToDate: () => context.isCaughtUp && context.state === 'open' && this.#pendingFinals === 0,
        soundBefore: (sample) => this.#soundBefore(sample),
        end: () => {
          for (const event of this.#tracker.endAtPause()) this.#follow(event);
          this.#silence();
        },
      });
    }
    if (context.streamSpeakers) this.#recentFinals = new RecentFinals();
    if (!policy.wantInterims) return;
    this.#interims = new Interims({
      scheduler,
      buffer,
      accountId: request.accountId,
      template,
      clock,
      mayEmit: () => this.#pendingFinals === 0 && context.state === 'open',
      emit: (interim) => {
        const words = placeWords(interim.words, this.#tracker.voicedSince(this.#finalFromSample));
        const placed = context.redaction.concealInterim({ ...interim, words, startMs: msOf(this.#finalFromSample) });
        emit({ type: 'interim', interim: placed });
        this.#turns?.interim(placed);
      },
    });
  }

  get neededFromSample(): number {
    return this.#tracker.neededFromSample;
  }

  get hasWindows(): boolean {
    return this.#finalFromSample > 0;
  }

  judged(probabilities: Float32Array): void {
    const { state, isCaughtUp } = this.#context;
    for (const event of this.#tracker.push(probabilities)) this.#follow(event);
    if (isCaughtUp && state === 'open') {
      const { openWindow: window, open, judgedSamples } = this.#tracker;
      if (window && (this.#earlyEnds?.isDue ?? true)) this.#speculate(window);
      else if (open) this.#interims?.update(open, judgedSamples);
      this.#earlyEnds?.check().catch((failure) => this.#context.fail(failure));
    }
    if (!this.#tracker.open) this.#silence();
  }

  #silence(): void {
    const untilMs = msOf(this.#tracker.silentUntilSample);
    if (untilMs === this.#silentMs) return;
    this.#silentMs = untilMs;
    this.#context.emit({ type: 'silence', untilMs });
    this.#turns?.silence(untilMs);
  }

  async flush(onEnded?: () => void): Promise<void> {
    const utterance = this.#tracker.flush();
    const endSample = utterance?.endSample ?? this.#tracker.endSilence();
    this.#context.emit({ type: 'flushed', atMs: msOf(endSample) });
    if (utterance) this.#commit(utterance);
    else this.#emitNothing(endSample, 'flush');
    onEnded?.();
    await this.#emitted;
  }

  /** Nothing to do: finals are stable text already. */
  emitStableText(): void {}

  ending(): void {
    this.#endingMs = this.#context.clock.monotonicMs();
  }

  async conclude(totalSamples: number): Promise<SessionSummary> {
    for (const event of this.#tracker.end(totalSamples)) this.#follow(event);
    this.#emitNothing(totalSamples, 'end');
    await this.#emitted;
    return {
      detectedLanguage: voteLanguage(this.#votes),
      outputTokenCount: this.#outputTokenCount,
      recognitionMs: this.#context.clock.monotonicMs() - this.#endingMs,
      refinementMs: 0,
      refinementFallback: this.#refinementFallback,
    };
  }

  close(): void {
    this.#turns?.close();
    this.#interims?.close();
  }

  #follow(event: TrackedEvent): void {
    if (event.type === 'utterance') this.#commit(event.utterance);
    else if (event.type === 'endpoint') this.#emitNothing(event.sample, 'endpoint');
    else if (event.type === 'speech_started') {
      const atMs = msOf(event.sample);
      this.#context.emit({ type: event.type, atMs, isContinued: event.isContinued });
      this.#turns?.speechStarted(atMs);
    } else {
      const atMs = msOf(event.sample);
      this.#context.emit({ type: event.type, atMs });
      this.#turns?.speechEnded(atMs, this.#soundBefore(event.sample));
    }
  }

  /** The last second before a sample, as far as it is buffered; empty when nothing detects turns. */
  #soundBefore(sample: number): Float32Array {
    const { buffer } = this.#context;
    if (!this.#turns) return new Float32Array();
    return buffer.slice(Math.max(buffer.startSample, sample - CONTOUR_SAMPLES), sample);
  }

  /** During a silence, recognises the utterance as if it had ended, so that its final can follow quickly. */
  #speculate(window: Window): void {
    const { recogniser } = this.#context;
    if (recogniser.speculated(window)) return;
    const [work] = recogniser.speculate([window], this.#draftOf(window));
    const { voicedEndSample } = this.#tracker.open!;
    this.#earlyEnds?.recognising(voicedEndSample);
    const take = async (recognised: readonly RecognisedWindow[]) => {
      this.#interims?.take(window, recognised);
      const text = recognised.map(({ recognition }) => recognition.text).join(' ');
      await this.#earlyEnds?.recognised(text, voicedEndSample);
    };
    // Dropped when speech resumes. A failed one is recognised again when the utterance has ended.
    work?.result.then(take, () => undefined).catch((failure) => this.#context.fail(failure));
  }

  #commit({ window, endSample, endedBy }: Utterance): void {
    const { recogniser } = this.#context;
    const work = recogniser.commit(window, 'final', { draft: this.#draftOf(window) });
    recogniser.keepOnly([]);
    this.#interims?.utteranceEnded(endSample);
    const speakers = this.#context.streamSpeakers?.utterance(windowStartMs(window), windowEndMs(window));
    this.#emitFinal({ endSample, endedBy }, this.#transcribe(work.result, endedBy), speakers);
  }

  #draftOf(window: Window): string {
    return this.#interims?.textFrom(windowStartMs(window)) ?? '';
  }

  /** Emits an empty final for silence. */
  #emitNothing(endSample: number, endedBy: Final['endedBy']): void {
    const end = { endSample: Math.max(this.#finalFromSample, endSample), endedBy };
    this.#emitFinal(end, Promise.resolve(EMPTY_TEXT));
  }

  #emitFinal(
    { endSample, endedBy }: Pick<Utterance, 'endSample' | 'endedBy'>,
    transcribed: Promise<TranscriptText>,
    speakers: Promise<LiveUpdate | null> = Promise.resolve(null),
  ): void {
    const { emit, fail } = this.#context;
    const startMs = msOf(this.#finalFromSample);
    this.#finalFromSample = endSample;
    this.#pendingFinals += 1;
    const { names } = this.#context.request.speakers ?? {};
    const emitted = Promise.all([transcribed, speakers, names, this.#emitted]).then(([text, update, named]) => {
      this.#pendingFinals -= 1;
      const final = { startMs, endMs: msOf(endSample), endedBy, transcript: text };
      const shown = this.#recentFinals?.add(final, update, named) ?? final;
      emit({ type: 'final', final: shown });
      this.#turns?.final(shown);
      for (const changed of this.#recentFinals?.changes(update, named) ?? [])
        emit({ type: 'speakers_changed', changed });
      this.#interims?.emitHeld();
    });
    emitted.catch((failure) => fail(failure));
    this.#emitted = emitted;
  }

  /** With redaction, utterances are transcribed one after the other. */
  #transcribe(result: Promise<readonly RecognisedWindow[]>, endedBy: Final['endedBy']): Promise<TranscriptText> {
    const transcribed = this.#transcribeAfter(this.#transcribed, result, endedBy);
    this.#transcribed = transcribed.catch(() => undefined);
    return transcribed;
  }

  async #transcribeAfter(
    earlier: Promise<unknown>,
    result: Promise<readonly RecognisedWindow[]>,
    endedBy: Final['endedBy'],
  ): Promise<TranscriptText> {
    const before = this.#isOpenEnded;
    this.#isOpenEnded = result
      .then((windows) => isOpenEnded(windows, { endedBy, endpointingMs: this.#endpointingMs }))
      .catch(() => false);
    const continuesAfter = this.#isOpenEnded;
    const heard = await result;
    const join = { continuesBefore: await before, continuesAfter: await continuesAfter };
    const recognised = joinRecognised(heard, join);
    this.#context.makeRoom();
    for (const each of recognised) {
      // The vote only needs to know whether there was text.
      const recognition = { ...each.recognition, words: [], text: each.recognition.text.trim().slice(0, 1) };
      this.#votes.push({ recognition, voicedMs: voicedMs(each.window) });
    }
    const assembled = this.#context.assemble(recognised);
    const { language } = assembled;
    this.#interims?.expectLanguage(language);
    if (assembled.segments.length === 0) return EMPTY_TEXT;
    const { redaction } = this.#context;
    // Redaction depends on the text of earlier utterances.
    if (redaction.isOn) await earlier;
    const input = this.#context.refineInput(assembled, endedBy !== 'end');
    const { refined: written, outputTokenCount } = await this.#refine(input);
    const spoken = appliedTerms(joinedText(input.pieces), recognised);
    const { refined, segments, words, terms } = redaction.conceal(assembled, input, written, spoken);
    redaction.remember(input, refined);
    this.#outputTokenCount += outputTokenCount;
    this.#refinementFallback ??= refined.fallback;
    const { text, rawText, edits } = joinRefined(refined, join);
    return { text, rawText, segments, words, edits, terms, detectedLanguage: language, outputTokenCount };
  }

  /** Text that cannot be refined in time is emitted as recognised, so that the stream continues. */
  async #refine(input: RefineInput): Promise<RefinementResult> {
    const { refinementStage, refinementTimeoutMs, signal, observer } = this.#context;
    try {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(refinementTimeoutMs)]);
      const result = await refinementStage.run(input, stop);
      if (result.refined.numbersRestored > 0) observer.numbersRestored(result.refined.numbersRestored);
      return result;
    } catch (failure) {
      if (signal.aborted) throw failure;
      const rawText = joinedText(input.pieces);
      const refined = { text: rawText, rawText, edits: [], fallback: 'refinement failed', numbersRestored: 0 };
      return { refined, outputTokenCount: 0 };
    }
  }
}
