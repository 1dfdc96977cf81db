// A process that starts to take up a staged copy, as a server's start does, until it is done or killed.

import { takeUpStaged } from '../backup/restore.ts';
import { lockDataFolder } from '../files/data-folder-lock.ts';

const lock = await lockDataFolder(process.argv[2]!);
process.send!('starting');
await takeUpStaged(process.argv[2]!);
await lock.close();
process.disconnect();
