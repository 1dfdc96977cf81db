// Progress of a run over several recordings, in one line.
import { basename } from 'node:path';
import type { UploadProgress } from '@faircopy/client';
import type { JobObject } from '@faircopy/contract';
import { sanitise } from '../output.ts';
import { StatusLine } from './status-line.ts';

const clockTime = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

export class TranscriptionProgress {
  readonly #line = new StatusLine();
  readonly #fileCount: number;
  readonly #active = new Map<string, string>();
  #done = 0;

  constructor(fileCount: number) {
    this.#fileCount = fileCount;
  }

  uploading(file: string, { sentBytes, totalBytes }: UploadProgress): void {
    const percent = Math.floor((100 * sentBytes) / Math.max(1, totalBytes));
    this.#active.set(file, percent < 100 ? `sending ${percent} %` : 'transcribing');
    this.#show();
  }

  /** Shows how long a job has been waiting or running. */
  job(file: string, { state, created_at, started_at }: JobObject): void {
    const sinceMs = Date.now() - Date.parse(started_at ?? created_at);
    this.#active.set(file, `${state === 'running' ? 'transcribing as a job' : 'waiting'} ${clockTime(sinceMs)}`);
    this.#show();
  }

  done(file: string): void {
    this.#active.delete(file);
    this.#done += 1;
    this.#show();
  }

  hide(): void {
    this.#line.clear();
  }

  #show(): void {
    const files = [...this.#active].map(([file, what]) => `${sanitise(basename(file))}: ${what}`);
    this.#line.show([`${this.#done}/${this.#fileCount}`, ...files].join('  '));
  }
}
