// Settings of the database.
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { optionalUrl, text } from '../config/values.ts';

export const storageSettings = declareSettings({
  topic: 'Several machines',
  settings: {
    dataDir: setting('FAIRCOPY_DATA_DIR', text('./data'), 'Folder of the embedded SQLite database.'),
    databaseUrl: setting(
      'DATABASE_URL',
      optionalUrl(/^postgres(ql)?$/, 'postgres://user:password@host:5432/database'),
      'PostgreSQL to use instead of SQLite, such as postgres://user:password@host:5432/database.',
      { secret: true },
    ),
    nodeName: setting(
      'FAIRCOPY_NODE_NAME',
      z.string().min(1).max(200).optional(),
      'Name of this server among those that share a database; each needs its own.',
      { defaultInWords: 'host name, data folder and port' },
    ),
  },
});

export type StorageSettings = SettingValues<typeof storageSettings>;
