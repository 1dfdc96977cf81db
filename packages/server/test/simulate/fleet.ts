// The simulated machines, with their failures and upgrades.
import { SimulatedGateway, SimulatedWorker, type World } from './machines.ts';
import { type Plan, pick, SPEEDS } from './plan.ts';
import type { Link } from './simulated-nats.ts';

const NEAR: Link = { delayMs: 0.25, bytesPerMs: 1.25e6 };
const GATEWAY: Link = { delayMs: 0.25, bytesPerMs: 3e6 };
/** 20 ms away, 200 Mbit/s. */
const FAR: Link = { delayMs: 20, bytesPerMs: 25_000 };
/** Time to load the models. */
const WORKER_START_MS = 15_000;
const GATEWAY_START_MS = 5_000;

export class Fleet {
  readonly #world: World;
  readonly workers: SimulatedWorker[] = [];
  readonly gateways: SimulatedGateway[] = [];

  constructor(world: World, plan: Plan) {
    this.#world = world;
    const { random } = world;
    for (let nth = 0; nth < plan.gateways; nth++)
      this.gateways.push(new SimulatedGateway(world, { name: `gateway-${nth}`, wire: GATEWAY }));
    for (let nth = 0; nth < plan.workers; nth++) {
      const speed = plan.speed || pick(random, SPEEDS).speed;
      const wire = random() < plan.slowLinks ? FAR : NEAR;
      this.workers.push(new SimulatedWorker(world, { name: `worker-${nth}`, speed, slots: plan.slots, wire }));
    }
  }

  /** Machines start at different moments. */
  start(): void {
    const { time, random } = this.#world;
    for (const machine of [...this.gateways, ...this.workers]) time.after(900 * random(), () => machine.start());
  }

  get slots(): number {
    return this.workers.reduce((sum, { isAlive, slots }) => sum + (isAlive ? slots : 0), 0);
  }

  /** A random ready gateway, as a load balancer would choose. */
  anyGateway(): SimulatedGateway | undefined {
    const ready = this.gateways.filter(({ isAlive, isDraining }) => isAlive && !isDraining);
    return ready[Math.floor(this.#world.random() * ready.length)];
  }

  /** Kills machines and restarts them after one to two times `backAfterMs`; null: never. */
  fail(machines: readonly (SimulatedWorker | SimulatedGateway)[], backAfterMs: number | null): void {
    for (const machine of machines) {
      machine.kill();
      if (backAfterMs !== null) this.#world.time.after(backAfterMs * (1 + this.#world.random()), () => machine.start());
    }
  }

  /** The first machines. That is a random choice, because speeds and links are random. */
  firstShare<T>(machines: readonly T[], share: number): readonly T[] {
    return machines.slice(0, Math.round(share * machines.length));
  }

  /** Restarts the machines one after the other: workers drain, gateways disconnect their callers. */
  upgrade(seconds: number): void {
    const { time } = this.#world;
    const machines = [...this.workers, ...this.gateways];
    for (const [nth, machine] of machines.entries())
      time.after((1000 * seconds * nth) / machines.length, () => {
        if (!machine.isAlive) return;
        if (machine instanceof SimulatedWorker)
          void machine.drain().then(() => time.after(WORKER_START_MS, () => machine.start()));
        else {
          machine.isDraining = true;
          time.after(GATEWAY_START_MS, () => void machine.leave());
          time.after(2 * GATEWAY_START_MS, () => machine.start());
        }
      });
  }
}
