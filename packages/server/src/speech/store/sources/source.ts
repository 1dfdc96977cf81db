// The interface of a source of model files: the source fetches bytes, the store verifies them.
import type { CatalogueFile, CatalogueModel } from '../catalogue.ts';

export interface FetchContext {
  /** Keeps partial downloads between runs; emptied when everything is in place. */
  readonly downloadFolder: string;
  readonly signal: AbortSignal;
  onProgress(label: string, bytesDone: number, bytesTotal: number | undefined): void;
}

export interface ModelSource {
  /** As shown to operators. */
  readonly name: string;
  offers(model: CatalogueModel, file: CatalogueFile): boolean;
  /** Writes the files that it can get to `folder`, under their store names. */
  fetch(model: CatalogueModel, files: readonly CatalogueFile[], folder: string, context: FetchContext): Promise<void>;
}
