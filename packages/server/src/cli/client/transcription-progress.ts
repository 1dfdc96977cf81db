// Progress of a run over several recordings, in one line.
import { basename } from 'node:path';
import type { UploadProgress } from '@faircopy/client';
import { sanitise } from '../output.ts';
import { StatusLine } from './status-line.ts';

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
