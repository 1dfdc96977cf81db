// `npm run test:watch -- KILLS RECORDINGS SEED`: watchers of a folder and of a bucket killed at random moments.
import { bucketChaos } from './bucket-chaos.ts';
import { chaos } from './chaos.ts';

const [kills = 100, recordings = 2 * kills, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
console.log(`seed ${seed}`);
console.log('a folder', await chaos({ kills, recordings, seed }));
console.log('a bucket', await bucketChaos({ kills, recordings, seed }));
