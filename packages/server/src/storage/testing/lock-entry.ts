// A process that locks a data folder until it is killed.
import { lockDataFolder } from '../files/data-folder-lock.ts';

await lockDataFolder(process.argv[2]!);
process.send!('held');
process.on('message', () => {});
