// `npm run test:watch -- KILLS RECORDINGS SEED`: watchers killed at random moments.
import { chaos } from './chaos.ts';

const [kills = 100, recordings = 2 * kills, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
console.log(`seed ${seed}`);
console.log(await chaos({ kills, recordings, seed }));
