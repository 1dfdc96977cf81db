// The entry point of every call: checks the key, the account's limits and the server's capacity.
import type { ModelId } from '@faircopy/contract';
import { isClientSecret } from '../accounts/keys/client-secrets.ts';
import { checkKeyModel, checkKeyUse, type KeyUse } from '../accounts/keys/key-rules.ts';
import type { AccessChange, Authenticator, Principal } from '../accounts/principal.ts';
import type { UploadDecoding } from '../audio/upload-decoding.ts';
import type { Claim } from '../idempotency/claim.ts';
import type { IdempotencyKeys } from '../idempotency/idempotency-keys.ts';
import { asFault, Fault } from '../lib/fault.ts';
import { keepHeapSmall, letHeapGrow } from '../lib/process/heap.ts';
import type { Readiness } from '../observability/readiness.ts';
import type { VoiceReading } from '../transcription/known-voices/request-voices.ts';
import type { TranscriptionSettings } from '../transcription/settings.ts';
import { budgetExceeded } from '../usage/budgets/budget.ts';
import type { BudgetStatus } from '../usage/budgets/stops.ts';
import type { StreamSlots } from '../usage/stream-slots/stream-slots.ts';
import { Admission } from './admission.ts';
import { Call, type CallParts } from './call.ts';
import type { AcceptedFiles } from './files/accepted-files.ts';
import { FileCall } from './files/file-call.ts';
import { FileProbe } from './files/file-probe.ts';
import { JobCall } from './files/job-call.ts';
import { type OpenFile, OpenFiles } from './files/open-files.ts';
import { ReceivedFile, type ReceivedFileParts } from './files/received-file.ts';
import { Replay } from './files/replay.ts';
import { Upload } from './files/upload.ts';
import { UploadMemory } from './files/upload-memory.ts';
import { uploadParts } from './files/upload-parts.ts';
import { RefusalPace } from './refusal-pace.ts';
import { StreamLimitReached, stopping } from './refusals.ts';
import type { LongFileSettings } from './settings.ts';
import { StreamCall } from './streams/stream-call.ts';

export interface CallsParts extends CallParts {
  readonly config: Pick<TranscriptionSettings, 'recognitionTimeoutMs'> & Pick<LongFileSettings, 'longFileSeconds'>;
  readonly readiness: Readiness;
  readonly authenticator: Authenticator;
  readonly slots: StreamSlots;
  readonly decoding: Pick<UploadDecoding, 'open'>;
  /** Reads the status of the caller's budget, across all nodes. */
  readonly readBudgetStatus: (principal: Principal) => Promise<BudgetStatus | null>;
  readonly idempotency: Pick<IdempotencyKeys, 'claim'>;
  /** Models that read the reference voices in a request. */
  readonly voiceFeatures: (owner: string, signal: AbortSignal) => ReturnType<VoiceReading['features']>;
}

/** Longest clip of a reference voice that is decoded. */
const VOICE_SECONDS_MAX = 15;

export interface Caller {
  readonly requestId: string;
  readonly principal: Principal;
}

/** A request with an idempotency key. */
export interface KeyedCaller extends Caller {
  readonly apiKey: string;
  readonly idempotencyKey: string;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export class Calls {
  readonly #parts: CallsParts;
  readonly #admission: Admission;
  readonly #uploadMemory = new UploadMemory();
  readonly #files = new OpenFiles();
  readonly #streams = new Set<StreamCall>();
  readonly #refusalPace = new RefusalPace((isFlood) => (isFlood ? keepHeapSmall() : letHeapGrow()));

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#admission = new Admission(parts.readiness, parts.transcriber);
    parts.readiness.draining.addEventListener('abort', () => this.#refusalPace.close(), { once: true });
    parts.metrics.watch('faircopy_open_streams', 'Open streams.', () => this.#streams.size);
  }

  /** Returns the account behind a key, with its limits. Refuses uses that the key does not allow. */
  authenticate(presentedKey: string, use: KeyUse): Promise<Principal> {
    const message = 'The API key is not valid. It may be mistyped, revoked or expired.';
    return this.#admitted(message, use, (authenticator) => authenticator.authenticate(presentedKey));
  }

  /** Returns the account behind a key or a client secret. */
  authenticateClient(presented: string, use: KeyUse): Promise<Principal> {
    if (!isClientSecret(presented)) return this.authenticate(presented, use);
    const message = 'The client secret is not valid or has expired.';
    return this.#admitted(message, use, (authenticator) => authenticator.authenticateClientSecret(presented));
  }

  /** Creates a client secret for an authenticated key; `session` configures the sessions that the secret opens. */
  createClientSecret(apiKey: string, expiresAtMs: number, session: object | null): Promise<string> {
    return this.#parts.authenticator.createClientSecret(apiKey, expiresAtMs, session);
  }

  #admitted(
    message: string,
    use: KeyUse,
    authenticate: (by: Authenticator) => Promise<Principal | null>,
  ): Promise<Principal> {
    return this.#countingRefusals(async () => {
      this.#admission.checkNotStopping();
      const principal = await authenticate(this.#parts.authenticator);
      if (!principal) throw new Fault('UNAUTHORIZED', { message });
      checkKeyUse(principal.rules, use);
      return principal;
    });
  }

  /** Checks capacity for a file whose model is not known yet. */
  checkCapacity(principal: Principal): void {
    this.#orRefused(() => this.#admission.checkAny(principal));
  }

  /** Delays a refusal for accounts that retry too fast. `disconnected` ends the delay. */
  async pacingRefusals<T>({ accountId }: Principal, disconnected: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.retryAfterSeconds !== undefined) {
        const nowMs = this.#parts.clock.monotonicMs();
        await this.#refusalPace.wait(accountId, nowMs, disconnected);
      }
      throw thrown;
    }
  }

  /** Refuses when the account has too many files in progress. */
  openFile({ requestId, principal }: Caller, accepted: AcceptedFiles, claim?: Claim): FileCall {
    try {
      // A request that was billed already is repeated for free.
      if (!claim?.isBilled) this.#checkBudget(principal.budget);
      this.#files.makeRoom(principal);
    } catch (thrown) {
      claim?.failed();
      throw this.#refused(thrown);
    }
    const { decoding, config } = this.#parts;
    const call = new Call(this.#parts, {
      requestId: claim?.requestId ?? requestId,
      principal,
      mode: 'file',
      isBilled: claim?.isBilled ?? false,
      isLong: accepted.lengths === 'long',
    });
    const owner = principal.accountId;
    const sources = { admission: this.#admission, memory: this.#uploadMemory, decoding, config };
    const parts = uploadParts(sources, principal, accepted);
    const upload = new Upload(call, parts, (fault) => fileCall.refuse(fault));
    const onEnd = (ended: FileCall) => this.#files.delete(ended);
    const voiceReading = (signal: AbortSignal): VoiceReading => ({
      openDecoder: () => decoding.open({ maxDurationSeconds: VOICE_SECONDS_MAX, formats: 'all', owner, signal }),
      features: () => this.#parts.voiceFeatures(owner, signal),
    });
    const fileCall: FileCall = new FileCall({ call, upload, claim, onEnd, voiceReading });
    this.#files.add(fileCall);
    return fileCall;
  }

  /** Like `openFile`, with an idempotency key: returns a call that does the work, or a replay of the first answer. */
  async openKeyedFile(caller: KeyedCaller, accepted: AcceptedFiles): Promise<FileCall | Replay> {
    const { requestId, principal, apiKey, idempotencyKey, signal } = caller;
    const { accountId, keyId } = principal;
    const claimed = await this.#countingRefusals(() =>
      this.#parts.idempotency.claim({ accountId, keyId, apiKey, idempotencyKey, requestId, signal }),
    );
    if (claimed.kind === 'claimed') return this.openFile({ requestId, principal }, accepted, claimed.claim);
    return this.#receive(principal, (parts) => new Replay(parts, claimed));
  }

  /** Receives a file to be processed later. Refuses when the account has too many in progress. */
  receiveFile(principal: Principal): ReceivedFile {
    this.#orRefused(() => this.#checkBudget(principal.budget));
    return this.#receive(principal, (parts) => new ReceivedFile(parts));
  }

  /** Checks a file as it arrives that is received to be processed later. */
  openProbe({ accountId }: Principal, maxDurationSeconds: number): FileProbe {
    const audio = { maxDurationSeconds, formats: 'all', owner: `jobs of ${accountId}`, measure: 'codec' } as const;
    const openMeasure = () => this.#parts.decoding.open(audio);
    return new FileProbe({ accountId, memory: this.#uploadMemory, openMeasure });
  }

  #receive<Received extends ReceivedFile>(
    principal: Principal,
    make: (parts: ReceivedFileParts) => Received,
  ): Received {
    this.#orRefused(() => this.#files.makeRoom(principal));
    const { clock } = this.#parts;
    const onEnd = (ended: OpenFile) => this.#files.delete(ended);
    const received = make({ accountId: principal.accountId, clock, onEnd });
    this.#files.add(received);
    return received;
  }

  /** Background work. Never refused; runs on spare capacity. */
  openJob({ requestId, principal }: Caller, maxDurationSeconds: number): JobCall {
    const call = new Call(this.#parts, { requestId, principal, mode: 'file', isBackground: true });
    const owner = `jobs of ${principal.accountId}`;
    const audio = { maxDurationSeconds, formats: 'all', owner } as const;
    return new JobCall(call, (channel) => this.#parts.decoding.open({ ...audio, channel }));
  }

  /** Takes one of the account's stream slots, or refuses the stream. */
  async openStream(
    { requestId, principal }: Caller,
    model: ModelId,
    tags: readonly string[] = [],
  ): Promise<StreamCall> {
    const { slot, limit, remaining } = await this.#countingRefusals(() => this.#takeSlot(principal, model));
    const call = new Call(this.#parts, { requestId, principal, mode: 'stream' });
    call.choose(model);
    call.tag(tags);
    const watchAccess = (onChange: (change: AccessChange) => void) =>
      this.#parts.authenticator.watch(principal, onChange);
    const streamCall = new StreamCall(call, { slot, limit, remaining, watchAccess }, this.#parts.log, (ended) =>
      this.#streams.delete(ended),
    );
    this.#streams.add(streamCall);
    return streamCall;
  }

  async #takeSlot(principal: Principal, model: ModelId) {
    checkKeyModel(principal.rules, model);
    await this.#checkStreamBudget(principal);
    await this.#limitFirst(principal, () => this.#admission.check('stream', model, principal));
    const { accountId, limits } = principal;
    const { slot, limit, remaining } = await this.#parts.slots.acquire(accountId, limits.maxStreams);
    if (slot === null) throw new StreamLimitReached(limit);
    return { slot, limit, remaining };
  }

  /** Refuses what `openStream` would refuse, without taking a slot. */
  checkStream(principal: Principal, model: ModelId): Promise<void> {
    return this.#countingRefusals(async () => {
      checkKeyModel(principal.rules, model);
      await this.#checkStreamBudget(principal);
      await this.#checkStreamLimit(principal);
      this.#admission.ask('stream', model, principal);
    });
  }

  /** Counts a refusal, which has no usage row to be counted by. */
  #refused(thrown: unknown): Fault {
    const fault = asFault(thrown);
    this.#parts.metrics.countRefusal(fault);
    return fault;
  }

  #orRefused(check: () => void): void {
    try {
      check();
    } catch (thrown) {
      throw this.#refused(thrown);
    }
  }

  async #countingRefusals<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw this.#refused(thrown);
    }
  }

  async #checkStreamLimit({ accountId, limits: { maxStreams } }: Principal): Promise<void> {
    if ((await this.#parts.slots.taken(accountId)) >= maxStreams) throw new StreamLimitReached(maxStreams);
  }

  /** An account at its limit gets 429 even on a busy server. The database is queried only after a refusal. */
  async #limitFirst(principal: Principal, check: () => void): Promise<void> {
    try {
      check();
    } catch (refusal) {
      await this.#checkStreamLimit(principal);
      throw refusal;
    }
  }

  /** An early check for files; the ledger decides when the usage row is written. */
  #checkBudget(budget: BudgetStatus | null): void {
    const nowMs = this.#parts.clock.now();
    if (budget?.stop && nowMs < budget.stop.opensAtMs) throw budgetExceeded(budget.stop, nowMs);
  }

  /** Streams are checked only when they open, so the current status of a budget is read from the database. */
  async #checkStreamBudget(principal: Principal): Promise<void> {
    this.#checkBudget(principal.budget);
    if (principal.budget !== null) this.#checkBudget(await this.#parts.readBudgetStatus(principal));
  }

  /** Fails the requests that are still running after the grace period. */
  halt(): void {
    for (const file of this.#files) file.stop(stopping());
  }
}
