// The port of a place that model files come from. A source brings bytes; the store checks them.
import type { CatalogueFile, CatalogueModel } from './catalogue.ts';

export interface FetchContext {
  /** Holds half-done downloads between runs; emptied once everything wanted is in place. */
  readonly downloadFolder: string;
  readonly signal: AbortSignal;
  onProgress(label: string, bytesDone: number, bytesTotal: number | undefined): void;
}

export interface ModelSource {
  /** As shown to the operator. */
  readonly name: string;
  offers(model: CatalogueModel, file: CatalogueFile): boolean;
  /** Writes each file into `folder` under its store name, as far as it can be had. */
  fetch(model: CatalogueModel, files: readonly CatalogueFile[], folder: string, context: FetchContext): Promise<void>;
}
