// Metrics of the volume that holds the embedded database.
import { Gauge } from 'prom-client';
import type { Metrics } from '../../observability/metrics.ts';
import type { Volume } from '../free-space.ts';

export const watchVolume = ({ registry }: Metrics, readVolume: () => Promise<Volume>): void => {
  const watch = (name: string, help: string, read: (volume: Volume) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // An unreadable volume must not fail the whole page; the gauge keeps its last value.
        const volume = await readVolume().catch(() => null);
        if (volume !== null) this.set(read(volume));
      },
    });
  watch('faircopy_data_free_bytes', 'Free bytes on the volume of the data folder.', ({ freeBytes }) => freeBytes);
  watch('faircopy_data_size_bytes', 'Size of the volume of the data folder.', ({ totalBytes }) => totalBytes);
};
