// A retry of a request that was answered before: its body is read to see that it is the same, and the answer given again.
import type { KeptAnswer } from '../../idempotency/answer.ts';
import type { ClaimResult } from '../../idempotency/idempotency-keys.ts';
import { ReceivedFile, type ReceivedFileParts } from './received-file.ts';

export class Replay extends ReceivedFile {
  readonly #claimed: Extract<ClaimResult, { kind: 'answered' }>;

  constructor(parts: ReceivedFileParts, claimed: Extract<ClaimResult, { kind: 'answered' }>) {
    super(parts);
    this.#claimed = claimed;
  }

  /** The body is here: the answer, or the fault that says that it is another one. */
  answerTo(bodyHash: string): KeptAnswer {
    this.markReceived();
    this.#claimed.checkBody(bodyHash);
    return this.#claimed.answer;
  }
}
