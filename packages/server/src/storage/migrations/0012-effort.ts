// Records in the ledger whether a request got fewer readings so that it finished in time.
import type { Migration } from '../migrate.ts';

export const effort: Migration = {
  version: 12,
  name: 'effort',
  async up({ schema }) {
    for (const table of ['usage_records', 'usage_withdrawn'])
      await schema.alterTable(table).addColumn('effort', 'text').execute();
  },
};
