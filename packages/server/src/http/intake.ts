// What one upload brings in: fields and audio in any order, decoded as it arrives and recognised as soon as it can be.
import { type Include, isModelId, MODEL_IDS, type ModelId, parseInclude } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { UploadDecoding } from '../audio/decode.ts';
import type { Config } from '../platform/config.ts';
import { Fault } from '../platform/fault.ts';
import type { Session, SessionRequest, Transcriber, Transcript } from '../transcription/transcriber.ts';
import { AudioFeed } from './feed.ts';
import type { FieldName, FormReader } from './form.ts';

export interface IntakeRooms {
  readonly config: Pick<Config, 'recognitionTimeoutMs'>;
  readonly decoding: UploadDecoding;
  readonly transcriber: Transcriber;
}

const invalid = (message: string) => new Fault('INVALID_REQUEST', { message });

export class Intake implements FormReader {
  readonly #rooms: IntakeRooms;
  readonly #requestId: string;
  readonly #principal: Principal;
  readonly #fields = new Map<FieldName, string>();
  #feed: AudioFeed | undefined;
  #session: { readonly request: SessionRequest; readonly live: Session } | undefined;

  constructor(rooms: IntakeRooms, requestId: string, principal: Principal) {
    this.#rooms = rooms;
    this.#requestId = requestId;
    this.#principal = principal;
  }

  /** The model asked for, once that is known and it is one. */
  get model(): ModelId | null {
    const named = this.#fields.get('model');
    return isModelId(named) ? named : null;
  }

  /** Seconds of audio; exact once the transcript is being waited for. */
  get audioSeconds(): number {
    return this.#feed?.durationSeconds ?? 0;
  }

  field(name: FieldName, value: string): void {
    this.#fields.set(name, value);
    if (name === 'model' && this.model === null) this.#feed?.abort();
    this.#openSession();
  }

  audio(bytes: Buffer): Promise<void> | undefined {
    // Once it is certain that the model is wrong, the rest of the file is only counted.
    if (this.#fields.has('model') && this.model === null) return undefined;
    if (this.#feed === undefined) {
      const decoder = this.#rooms.decoding.open({ maxDurationSeconds: this.#principal.limits.maxDurationSeconds });
      this.#feed = new AudioFeed(decoder, {
        stuckAfterMs: this.#rooms.config.recognitionTimeoutMs,
        onFailure: () => this.#session?.live.cancel(),
      });
      this.#openSession();
    }
    return this.#feed.write(bytes);
  }

  /** The whole form is here. What is wrong with its fields comes before what is wrong with the audio. */
  includes(): ReadonlySet<Include> {
    if (!this.#fields.has('model'))
      throw invalid(`The field "model" is missing. It is one of ${MODEL_IDS.join(', ')}.`);
    if (this.model === null) throw invalid(`The field "model" must be one of ${MODEL_IDS.join(', ')}.`);
    const include = this.#include();
    if (include === null) throw invalid('The field "include" may name segments, words, raw and edits.');
    return include;
  }

  /** Waits for the rest of the decoding, then for the transcript. */
  async finish(): Promise<Transcript> {
    if (this.#feed === undefined || this.#session === undefined) throw new Error('there is no audio to finish');
    await this.#feed.finish();
    return this.#session.live.finish();
  }

  /** Stops decoding and recognition. Safe at any time. */
  release(): void {
    this.#feed?.abort();
    this.#session?.live.cancel();
  }

  #include(): ReadonlySet<Include> | null {
    return parseInclude(this.#fields.get('include'));
  }

  /** Opens a session when the fields allow it; anew when a field that changes what is asked came after the audio. */
  #openSession(): void {
    const { model } = this;
    const include = this.#include();
    if (this.#feed === undefined || model === null || include === null) return;
    const request: SessionRequest = {
      requestId: this.#requestId,
      accountId: this.#principal.accountId,
      mode: 'file',
      model,
      languageHint: this.#fields.get('language') || undefined,
      vocabulary: this.#principal.vocabulary,
      wantWordTimes: include.has('words'),
    };
    if (this.#session === undefined) this.#admit(model);
    else if (this.#feed.replayable && asksOtherwise(request, this.#session.request)) this.#session.live.cancel();
    else return;
    this.#session = { request, live: this.#rooms.transcriber.open(request) };
    this.#feed.open(this.#session.live);
  }

  #admit(model: ModelId): void {
    const { admitted, retryAfterSeconds, reason } = this.#rooms.transcriber.admit(model);
    if (!admitted) throw tooBusy(retryAfterSeconds, reason);
  }
}

const asksOtherwise = (one: SessionRequest, other: SessionRequest): boolean =>
  one.languageHint !== other.languageHint || one.wantWordTimes !== other.wantWordTimes;

export const tooBusy = (
  retryAfterSeconds: number,
  message = 'The service is too busy to take this request now.',
): Fault => new Fault('SERVICE_UNAVAILABLE', { message, retryAfterSeconds });
