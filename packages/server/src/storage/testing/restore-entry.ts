// A process that applies a staged restore, as a starting server does.
import { applyStagedRestore } from '../backup/restore.ts';
import { lockDataFolder } from '../files/data-folder-lock.ts';

const lock = await lockDataFolder(process.argv[2]!);
process.send!('starting');
await applyStagedRestore(process.argv[2]!);
await lock.close();
process.disconnect();
