// Thrown when a job has ended without a transcript.
import type { JobObject } from '@faircopy/contract';

export class JobFailed extends Error {
  constructor({ id, state, error }: JobObject) {
    super(error?.message ?? `Job ${id} was ${state}.`);
  }
}
