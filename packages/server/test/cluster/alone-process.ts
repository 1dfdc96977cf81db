// A standalone server: prints which files of the NATS client it has loaded, then exits.
import { createRequire } from 'node:module';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';

const { NATS_URL: _, ...env } = process.env;
const app = await createApp(parseConfig({ ...env, PORT: '0', LOG_LEVEL: 'silent' }));
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@nats-io'));
process.stdout.write(JSON.stringify(loaded));
await app.close();
process.exit(0);
