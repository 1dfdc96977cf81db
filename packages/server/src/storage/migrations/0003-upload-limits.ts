// An account's own limits for files: how many at the same time, and how much of their audio may wait.
import type { Migration } from '../migrate.ts';

export const uploadLimits: Migration = {
  version: 3,
  name: 'upload limits',
  async up({ schema }) {
    await schema.alterTable('accounts').addColumn('max_uploads', 'integer').execute();
    await schema.alterTable('accounts').addColumn('max_waiting_seconds', 'integer').execute();
  },
};
