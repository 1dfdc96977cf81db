// The state of a cluster for the console: its gateways and workers, with their load.
import { z } from 'zod';
import { modelId } from './models.ts';

const count = z.number().int();

export const clusterStatus = z.object({
  /** Whether this server is connected to NATS. */
  connected: z.boolean(),
  gateways: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      version: z.string(),
      is_this: z.boolean(),
      waiting_windows: count,
      running_windows: count,
    }),
  ),
  workers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      version: z.string(),
      tiers: z.array(modelId),
      slots: count,
      busy: count,
      /** Seconds of audio that a slot recognises per second, by tier; absent before a first window. */
      speeds: z.partialRecord(modelId, z.number()),
      /** distrusted: it sent invalid answers and gets no windows for a while. */
      state: z.enum(['working', 'draining', 'distrusted']),
      windows_done: count,
      /** The part of `windows_done` for this server. */
      windows_here: count,
    }),
  ),
});
export type ClusterStatus = z.infer<typeof clusterStatus>;
