// Fetches model files from Hugging Face at a pinned revision, or from a URL.
import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueFile, CatalogueModel } from '../catalogue.ts';
import { SIZE_FACTOR_MAX } from '../model-files.ts';
import { downloadTo } from './download.ts';
import type { ModelSource } from './source.ts';

const addressOf = (hubUrl: string, model: CatalogueModel, file: CatalogueFile): string | undefined => {
  if (!model.hub || file.hubPath === undefined) return file.url;
  const { repository, revision } = model.hub;
  return `${hubUrl.replace(/\/+$/, '')}/${repository}/resolve/${revision}/${file.hubPath}`;
};

export const webSource = (hubUrl: string): ModelSource => ({
  name: 'Hugging Face',
  offers: (model, file) => addressOf(hubUrl, model, file) !== undefined,
  async fetch(model, files, folder, { downloadFolder, signal, onProgress }) {
    for (const file of files) {
      const url = addressOf(hubUrl, model, file);
      if (url === undefined) continue;
      // The name contains the checksum, so that a partial download of other bytes is never resumed.
      const key = createHash('sha256').update(`${url} ${file.sha256}`).digest('hex').slice(0, 16);
      const download = join(downloadFolder, `${file.name}-${key}`);
      // Without a checksum, a partial download of another version would go unnoticed.
      if (file.sha256 === undefined) await rm(`${download}.part`, { force: true });
      await downloadTo(download, url, {
        ...(file.sha256 === undefined ? { bytesMax: SIZE_FACTOR_MAX * file.bytes } : { bytes: file.bytes }),
        signal,
        onProgress: (done, total) => onProgress(`${model.id}/${file.name}`, done, total),
      });
      await rename(download, join(folder, file.name));
    }
  },
});
