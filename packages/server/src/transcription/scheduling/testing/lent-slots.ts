// A recogniser whose slots and answers the test controls.
import type { ModelId } from '@faircopy/contract';
import type { Capacity, Recogniser, Recognition, SpeechWindow, WaitingWindows } from '../../../speech/recogniser.ts';

export class LentSlots implements Recogniser, Capacity {
  readonly free = new Map<ModelId, number>();
  readonly served = new Set<ModelId>();
  readonly running: { job: SpeechWindow; resolve(answer: Recognition): void; reject(cause: Error): void }[] = [];
  aborted = 0;
  slots = 1;
  isContended = false;
  /** Whether a slot of one tier takes the others. */
  areShared = true;
  waiting: Record<string, number> = {};
  background: Record<string, number> = {};
  #listener: () => void = () => {};

  get capacity(): Capacity {
    return this;
  }
  freeSlots(tier: ModelId): number {
    return this.free.get(tier) ?? 0;
  }
  couldReplace({ tier: one }: SpeechWindow, tier: ModelId): boolean {
    return this.areShared || one === tier;
  }
  serves(tier: ModelId): boolean {
    return this.served.has(tier);
  }
  setWaiting(waiting: WaitingWindows, background: WaitingWindows): void {
    this.waiting = Object.fromEntries(waiting);
    this.background = Object.fromEntries(background);
  }
  onChange(listener: () => void): void {
    this.#listener = listener;
  }
  lend(tier: ModelId, count = 1): void {
    this.served.add(tier);
    this.free.set(tier, this.freeSlots(tier) + count);
    this.#listener();
  }
  recognise(job: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    this.free.set(job.tier, this.freeSlots(job.tier) - 1);
    return new Promise((resolve, reject) => {
      this.running.push({ job, resolve, reject });
      signal.addEventListener('abort', () => {
        this.aborted += 1;
        reject(signal.reason);
      });
    });
  }
  names(): (string | undefined)[] {
    return this.running.map(({ job }) => job.vocabulary[0]?.text);
  }
  changed(): void {
    this.#listener();
  }
  async close(): Promise<void> {}
}
