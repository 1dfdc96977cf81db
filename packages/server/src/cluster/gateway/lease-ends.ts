// Ends the windows that workers hold: answered, lost, or with an answer that cannot be read.
import { WindowLost } from '../../speech/recogniser.ts';
import { type Answer, RefusedMessage } from '../messages.ts';
import type { GatewayObserver, LossReason } from './gateway-observer.ts';
import type { KnownWorker, Lease } from './known-worker.ts';
import type { KnownWorkers } from './known-workers.ts';

interface LeaseEndsOptions {
  readonly workers: KnownWorkers;
  readonly observer: GatewayObserver;
  readonly nowMs: () => number;
  /** Tells the worker to drop these windows. */
  readonly release: (worker: KnownWorker, ids: readonly string[]) => void;
}

export class LeaseEnds {
  readonly #options: LeaseEndsOptions;

  constructor(options: LeaseEndsOptions) {
    this.#options = options;
  }

  answered({ id, worker: workerId, result }: Answer): void {
    const { workers, observer, nowMs } = this.#options;
    const worker = workers.get(workerId);
    const lease = worker?.leases.get(id);
    // A late answer for a lost or cancelled window, or a forged one.
    if (!worker || !lease)
      throw new RefusedMessage('unknown_lease', 'it answers an unknown window', worker?.state.name);
    if ('recognition' in result) {
      worker.windows += 1;
      worker.trust();
      observer.windowDone(worker.state.name, nowMs() - lease.sentMs);
      lease.finish({ recognition: result.recognition });
    } else if (result.failure.reason === 'failed') lease.finish({ error: new Error(result.failure.message) });
    else {
      const { reason } = result.failure;
      if (reason === 'unavailable') worker.wasUnavailable(nowMs());
      this.lose(lease, reason, reason !== 'refused');
    }
  }

  /** A worker that answers a window with an unreadable message gets no windows for a while. `beginning`: of the message. */
  unreadable(beginning: string): void {
    const { workers, nowMs, release } = this.#options;
    for (const { worker, lease } of workers.leasesNamedIn(beginning)) {
      worker.distrust(nowMs());
      release(worker, [lease.id]);
      this.lose(lease, 'invalid_answer', true);
    }
  }

  lose(lease: Lease, reason: LossReason, wasBegun: boolean): void {
    this.#options.observer.windowLost(reason);
    lease.finish({ error: new WindowLost(`The worker lost the window: ${reason}.`, { wasBegun }) });
  }
}
