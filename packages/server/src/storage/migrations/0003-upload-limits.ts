// Adds per-account limits for concurrent uploads and for audio that waits for recognition.
import type { Migration } from '../migrate.ts';

export const uploadLimits: Migration = {
  version: 3,
  name: 'upload limits',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('max_uploads', 'integer').execute();
    await schema.alterTable('accounts').addColumn('max_waiting_seconds', 'integer').execute();
  },
};
