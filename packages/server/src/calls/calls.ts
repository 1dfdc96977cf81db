// Where calls begin: the key is checked, the service's capacity and the account's limits too. The same for every endpoint.
import type { ModelId } from '@faircopy/contract';
import type { AccessChange, Authenticator, Principal } from '../accounts/principal.ts';
import type { AudioFormats, LiveDecoder, UploadDecoding } from '../audio/decode.ts';
import { budgetExceeded } from '../budgets/budget.ts';
import type { KnownBudget } from '../budgets/stops.ts';
import type { Config } from '../platform/config.ts';
import { Fault } from '../platform/fault.ts';
import type { Readiness } from '../platform/readiness.ts';
import type { StreamSlots } from '../usage/slots.ts';
import { Admission } from './admission.ts';
import { Call, type CallParts } from './call.ts';
import { FileCall, type OpenUpload } from './file-call.ts';
import { HeldBytes } from './held-bytes.ts';
import { OpenFiles } from './open-files.ts';
import { StreamLimitReached, stopping } from './refusals.ts';
import { StreamCall } from './stream-call.ts';
import { Upload } from './upload.ts';

export interface CallsParts extends CallParts {
  readonly config: Pick<Config, 'recognitionTimeoutMs'>;
  readonly readiness: Readiness;
  readonly authenticator: Authenticator;
  readonly slots: StreamSlots;
  readonly decoding: Pick<UploadDecoding, 'open'>;
  /** What is left to a caller at this very moment, over all nodes. */
  readonly readBudget: (principal: Principal) => Promise<KnownBudget | null>;
}

export interface Caller {
  readonly requestId: string;
  readonly principal: Principal;
}

export class Calls {
  readonly #parts: CallsParts;
  readonly #admission: Admission;
  readonly #held = new HeldBytes();
  readonly #files = new OpenFiles();
  readonly #streams = new Set<StreamCall>();

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#admission = new Admission(parts.readiness, parts.transcriber);
    parts.metrics.watch('faircopy_open_streams', 'Streams that are open.', () => this.#streams.size);
  }

  /** The account behind a key, with its limits. */
  async authenticate(presentedKey: string): Promise<Principal> {
    this.#admission.checkNotStopping();
    const principal = await this.#parts.authenticator.authenticate(presentedKey);
    if (principal) return principal;
    throw new Fault('UNAUTHORIZED', {
      message: 'The API key is not valid. It may be mistyped, revoked or expired.',
    });
  }

  /** For a file whose model is not known yet: whether any could be transcribed now. */
  checkCapacity(principal: Principal): void {
    this.#admission.checkAny(principal);
  }

  /** Refuses when the account has too many files under way. */
  openFile({ requestId, principal }: Caller, formats: AudioFormats): FileCall {
    this.#checkBudget(principal.budget);
    this.#files.makeRoom(principal);
    const { decoding, config } = this.#parts;
    const call = new Call(this.#parts, { requestId, principal, mode: 'file' });
    const { maxDurationSeconds } = principal.limits;
    const openUpload: OpenUpload = (channel) => {
      let decoder: LiveDecoder | undefined;
      const upload = new Upload(call, {
        admission: this.#admission,
        held: this.#held,
        openDecoder: () => {
          decoder = decoding.open({ maxDurationSeconds, formats, ...(channel !== undefined && { channel }) });
          return call.traced(decoder);
        },
        stuckAfterMs: config.recognitionTimeoutMs,
      });
      return { upload, sourceChannels: () => decoder?.sourceChannels ?? 0 };
    };
    const fileCall = new FileCall(call, openUpload, (ended) => this.#files.delete(ended));
    this.#files.add(fileCall);
    return fileCall;
  }

  /** Takes one of the account's slots, or refuses. */
  async openStream({ requestId, principal }: Caller, model: ModelId): Promise<StreamCall> {
    await this.#checkStreamBudget(principal);
    this.#admission.check('stream', model, principal);
    const { slot, limit, remaining } = await this.#parts.slots.acquire(
      principal.accountId,
      principal.limits.maxStreams,
    );
    if (slot === null) throw new StreamLimitReached(limit);
    const call = new Call(this.#parts, { requestId, principal, mode: 'stream' });
    call.choose(model);
    const watchAccess = (onChange: (change: AccessChange) => void) =>
      this.#parts.authenticator.watch(principal, onChange);
    const streamCall = new StreamCall(call, { slot, limit, remaining, watchAccess }, this.#parts.log, (ended) =>
      this.#streams.delete(ended),
    );
    this.#streams.add(streamCall);
    return streamCall;
  }

  /** Refuses what `openStream` would refuse, and takes nothing. */
  async checkStream(principal: Principal, model: ModelId): Promise<void> {
    await this.#checkStreamBudget(principal);
    this.#admission.ask('stream', model, principal);
    const { maxStreams } = principal.limits;
    if ((await this.#parts.slots.taken(principal.accountId)) >= maxStreams) throw new StreamLimitReached(maxStreams);
  }

  /** For files this is the first look; the ledger has the last word, when the row is written. */
  #checkBudget(budget: KnownBudget | null): void {
    const nowMs = this.#parts.clock.now();
    if (budget?.stop && nowMs < budget.stop.opensAtMs) throw budgetExceeded(budget.stop, nowMs);
  }

  /** A stream is decided when it opens: it goes on to its end then, so the database is asked where a budget may stop it. */
  async #checkStreamBudget(principal: Principal): Promise<void> {
    this.#checkBudget(principal.budget);
    if (principal.budget !== null) this.#checkBudget(await this.#parts.readBudget(principal));
  }

  /** Requests have had their time to end: those that still run fail now. */
  halt(): void {
    for (const call of this.#files) call.stop(stopping());
  }
}
