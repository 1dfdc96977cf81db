// The gateways and workers of a cluster with their load, as the console shows them. Part of the console's own API.
import { z } from 'zod';
import { modelId } from './models.ts';

const count = z.number().int();

export const clusterStatus = z.object({
  /** Whether this server reaches NATS. */
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
      /** distrusted: it answered nonsense, and gets no windows for a while. */
      state: z.enum(['working', 'draining', 'distrusted']),
      windows_done: count,
      /** Of these, for this server. */
      windows_here: count,
    }),
  ),
});
export type ClusterStatus = z.infer<typeof clusterStatus>;
