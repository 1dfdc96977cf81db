// Computes the cost per hour of audio, with the prices of machines and traffic from a file.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Run } from './simulate.ts';

const prices = z.object({
  currency: z.string(),
  /** Per hour, like the other machines and the database. A worker machine has `slotsPerWorkerMachine` cores. */
  workerMachine: z.number(),
  slotsPerWorkerMachine: z.number(),
  gatewayMachine: z.number(),
  natsMachine: z.number(),
  database: z.number(),
  /** Per gigabyte between machines. */
  traffic: z.number(),
});
export type Prices = z.infer<typeof prices>;

export const readPrices = (path: string | URL): Prices => prices.parse(JSON.parse(readFileSync(path, 'utf8')));

export const costPerAudioHour = ({ plan, figures, nats }: Run, of: Prices): { perHour: number; currency: string } => {
  const machines =
    (plan.workers * plan.slots * of.workerMachine) / of.slotsPerWorkerMachine +
    plan.gateways * of.gatewayMachine +
    plan.natsServers * of.natsMachine +
    of.database;
  let bytes = 0;
  for (const count of nats.counts.values()) bytes += count.bytes;
  const traffic = (bytes / 1e9) * of.traffic;
  const audioHours = figures.audioSeconds / 3_600;
  return { perHour: (machines * (plan.seconds / 3_600) + traffic) / audioHours, currency: of.currency };
};
