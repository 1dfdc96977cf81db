// An index of the records of transcripts by recording, by content and by output.
import type { TranscriptRecord } from '../client/transcript-log.ts';

export class TranscriptIndex {
  readonly #byOutput = new Map<string, TranscriptRecord>();
  readonly #byRecording = new Map<string, TranscriptRecord>();
  readonly #byContent = new Map<string, Set<TranscriptRecord>>();
  /** Outputs that are about to be recorded. */
  readonly #reserved = new Set<string>();

  constructor(records: readonly TranscriptRecord[]) {
    for (const record of records) this.set(record);
  }

  ofRecording(address: string): TranscriptRecord | undefined {
    return this.#byRecording.get(address);
  }

  ofContent(sha256: string): readonly TranscriptRecord[] {
    return [...(this.#byContent.get(sha256) ?? [])];
  }

  /** Returns false when the name is taken. Some file systems do not distinguish case. */
  reserve(output: string): boolean {
    const name = output.toLowerCase();
    if (this.#byOutput.has(name) || this.#reserved.has(name)) return false;
    this.#reserved.add(name);
    return true;
  }

  free(output: string): void {
    this.#reserved.delete(output.toLowerCase());
  }

  set(record: TranscriptRecord): void {
    this.remove(record.output);
    if (record.state === 'released') return;
    this.#byOutput.set(record.output.toLowerCase(), record);
    this.#byRecording.set(record.recording, record);
    const same = this.#byContent.get(record.sha256) ?? new Set();
    this.#byContent.set(record.sha256, same.add(record));
  }

  remove(output: string): void {
    const name = output.toLowerCase();
    this.#reserved.delete(name);
    const known = this.#byOutput.get(name);
    if (known === undefined) return;
    this.#byOutput.delete(name);
    if (this.#byRecording.get(known.recording) === known) this.#byRecording.delete(known.recording);
    const same = this.#byContent.get(known.sha256);
    same?.delete(known);
    if (same?.size === 0) this.#byContent.delete(known.sha256);
  }
}
