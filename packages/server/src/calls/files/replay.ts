// A retry of an answered request: checks that the body is the same and repeats the answer.
import type { KeptAnswer } from '../../idempotency/answer.ts';
import type { ClaimResult } from '../../idempotency/idempotency-keys.ts';
import { ReceivedFile, type ReceivedFileParts } from './received-file.ts';

export class Replay extends ReceivedFile {
  readonly #claimed: Extract<ClaimResult, { kind: 'answered' }>;

  constructor(parts: ReceivedFileParts, claimed: Extract<ClaimResult, { kind: 'answered' }>) {
    super(parts);
    this.#claimed = claimed;
  }

  /** Returns the kept answer, or throws when the body differs. */
  answerTo(bodyHash: string): KeptAnswer {
    this.markReceived();
    this.#claimed.checkBody(bodyHash);
    return this.#claimed.answer;
  }
}
