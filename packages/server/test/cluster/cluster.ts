// A cluster of processes: NATS, PostgreSQL, two gateways and three workers, each on its own cable.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { type OwnNats, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { type CableQuality, RelayCable } from './cable.ts';
import type { GatewayFigures } from './gateway-process.ts';
import { Machine } from './machine.ts';
import { NamespaceCable, namespacesAbsence } from './namespace-cable.ts';
import type { WorkerFigures, WorkerPlan } from './worker-process.ts';

export type Gateway = Machine<GatewayFigures>;
export type Worker = Machine<WorkerFigures>;

const WORKERS: readonly WorkerPlan[] = [
  { kind: 'processes', slots: 2, windowMs: 0 },
  { kind: 'timer', slots: 3, windowMs: 60 },
  { kind: 'timer', slots: 2, windowMs: 150 },
];
const SLOTS = WORKERS.reduce((sum, { slots }) => sum + slots, 0);
const GATEWAYS = 2;
const GOOD: CableQuality = { delayMs: 0, loss: 0 };
/** For one gateway and one worker. */
const FAR: CableQuality = { delayMs: 50, loss: 0.02 };

export interface ClusterOptions {
  readonly databaseUrl: string;
  readonly random: () => number;
  /** Whether some machines have a long and lossy cable. */
  readonly isFar: boolean;
}

export class Cluster {
  readonly nats: OwnNats;
  readonly gateways: Gateway[] = [];
  readonly workers: Worker[] = [];

  private constructor(nats: OwnNats) {
    this.nats = nats;
  }

  static async start({ databaseUrl, random, isFar }: ClusterOptions): Promise<Cluster> {
    const nats = await startOwnNats({ host: '0.0.0.0' });
    const cluster = new Cluster(nats);
    const target = { host: '127.0.0.1', port: nats.port };
    const relay = (nth: number) => RelayCable.open(target, isFar && nth === 1 ? FAR : GOOD, random);
    const env = {
      DATABASE_URL: databaseUrl,
      FAIRCOPY_RECOGNISERS: 'none',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
      // Shorter than the time after which a client counts as unanswered.
      FAIRCOPY_RECOGNITION_TIMEOUT_MS: '60000',
      FAIRCOPY_FINALIZE_TIMEOUT_MS: '60000',
      FAIRCOPY_MAX_WAIT_MS: '30000',
    };
    try {
      for (let nth = 0; nth < GATEWAYS; nth++)
        cluster.gateways.push(
          new Machine({ name: `gateway-${nth}`, entry: './gateway-process.js', cable: await relay(nth), env }),
        );
      const hasNamespaces = namespacesAbsence() === false;
      for (const [nth, plan] of WORKERS.entries()) {
        const namespace = hasNamespaces && nth !== 1 ? NamespaceCable.open(nth, nats.port) : undefined;
        const cable = namespace ?? (await relay(nth));
        const { FAIRCOPY_RECOGNISERS: _, ...workerEnv } = env;
        const prefix = namespace?.prefix ?? [];
        const entry = './worker-process.js';
        cluster.workers.push(new Machine({ name: `worker-${nth}`, entry, plan, cable, env: workerEnv, prefix }));
      }
      // In sequence, because the first gateway creates the tables.
      for (const machine of cluster.machines) await machine.start();
    } catch (cause) {
      await cluster.close();
      throw cause;
    }
    return cluster;
  }

  get machines(): readonly (Gateway | Worker)[] {
    return [...this.gateways, ...this.workers];
  }

  /** Faults; empty when gateways and workers all know each other, and every slot is lent or busy. */
  async faults(): Promise<string[]> {
    const [gateways, workers] = await Promise.all([
      Promise.all(this.gateways.map((gateway) => gateway.ask())),
      Promise.all(this.workers.map((worker) => worker.ask())),
    ]);
    const ids = this.workers.map(({ greeting }) => greeting).sort();
    const faults: string[] = [];
    for (const [nth, figures] of gateways.entries()) {
      const working = (figures?.workers ?? []).filter(({ state }) => state === 'working').map(({ id }) => id);
      if (working.sort().join() !== ids.join()) faults.push(`gateway ${nth} knows ${JSON.stringify(figures?.workers)}`);
    }
    for (const [nth, figures] of workers.entries())
      if (figures?.gateways !== GATEWAYS || figures.busy + figures.lent !== figures.slots)
        faults.push(`worker ${nth} has ${JSON.stringify(figures)}`);
    return faults;
  }

  /** Milliseconds until the cluster had recovered. */
  async untilWhole(msMax: number): Promise<number> {
    const startedMs = performance.now();
    for (;;) {
      const faults = await this.faults();
      const tookMs = performance.now() - startedMs;
      if (faults.length === 0) return tookMs;
      assert.ok(tookMs < msMax, `whole again: ${faults.join('; ')}`);
      await wait(50);
    }
  }

  /** Asserts that no slot, credit or window is left over when nothing runs. */
  async assertCalm(): Promise<void> {
    let seen = '';
    // Credits move for a moment after the last answer.
    for (let tries = 0; tries < 100; tries++) {
      const gateways = await Promise.all(this.gateways.map((gateway) => gateway.ask()));
      const workers = await Promise.all(this.workers.map((worker) => worker.ask()));
      const credits = gateways.reduce((sum, figures) => sum + (figures?.credits ?? 0), 0);
      const isLent = workers.every((figures) => figures?.busy === 0 && figures.lent === figures.slots);
      if (isLent && credits === SLOTS && gateways.every((figures) => figures?.running === 0 && figures.waiting === 0))
        return;
      seen = JSON.stringify({ gateways, workers });
      await wait(50);
    }
    assert.fail(`slots, credits or windows were left over: ${seen}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.close().catch(() => {})));
    await this.nats.close();
  }
}
