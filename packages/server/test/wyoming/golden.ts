// Wyoming as the reference implementation writes it, and a service that listens for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/storage/open.ts';
import { type Ending, keyFor, startService } from '../http/service.ts';

/** The bytes that the reference writer of Wyoming 1.10 sends for an event. */
export const golden = (type: string, data = '', payload: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    Buffer.from(
      `{"type": "${type}", "version": "1.10.0"${data === '' ? '' : `, "data_length": ${data.length}`}` +
        `${payload.length === 0 ? '' : `, "payload_length": ${payload.length}`}}\n${data}`,
    ),
    payload,
  ]);

/** Starts a service with the listener on, for an account whose key already exists. */
export const startWyoming = async (t: Ending) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-wyoming-'));
  const storage = await openStorage({ dataDir });
  const { key } = await keyFor(storage, 'home');
  await storage.close();
  const service = await startService(t, {
    config: { dataDir, wyomingAddress: { host: '127.0.0.1', port: 0 }, wyomingKey: key },
  });
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  return { service, dataDir, wyomingPort: service.app.ports.get('wyoming')! };
};
