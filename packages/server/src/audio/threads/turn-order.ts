// Schedules tasks fairly: the owner that has used the least time runs next, and the tasks of an owner take turns.

/** Head start of an owner that was idle: about one turn. */
const CREDIT_MS = 5;

interface Owner<T> {
  readonly tasks: Set<T>;
  /** Time used, counted from the owner's start value. */
  usedMs: number;
}

export class TurnOrder<T> {
  /** Owners with waiting tasks, and idle owners above the start value. Among equals, the first one runs next. */
  readonly #owners = new Map<string, Owner<T>>();
  /** The least time used by a waiting owner at the last `take`; never decreases. */
  #leastMs = 0;

  /** Start value of an owner that was idle: idle time is not saved up. */
  get #startMs(): number {
    return this.#leastMs - CREDIT_MS;
  }

  /** Adding a task that is already waiting has no effect. */
  add(owner: string, task: T): void {
    const known = this.#owners.get(owner) ?? { tasks: new Set<T>(), usedMs: this.#startMs };
    known.usedMs = Math.max(known.usedMs, this.#startMs);
    this.#owners.set(owner, known);
    known.tasks.add(task);
  }

  /** Takes the next task. */
  take(): T | undefined {
    const next = this.#next();
    if (!next) return undefined;
    const [name, owner] = next;
    const [task] = owner.tasks;
    owner.tasks.delete(task!);
    this.#leastMs = Math.max(this.#leastMs, owner.usedMs);
    // Moves the owner behind others with the same used time.
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    return task;
  }

  /** Adds the time that a task of the owner took. */
  charge(owner: string, ms: number): void {
    const known = this.#owners.get(owner);
    if (known) known.usedMs += ms;
  }

  #next(): [string, Owner<T>] | undefined {
    let least: [string, Owner<T>] | undefined;
    for (const entry of this.#owners) {
      const [name, { tasks, usedMs }] = entry;
      if (tasks.size > 0 && (!least || usedMs < least[1].usedMs)) least = entry;
      // The owner would start at this value again, so it need not be remembered.
      else if (tasks.size === 0 && usedMs <= this.#startMs) this.#owners.delete(name);
    }
    return least;
  }
}
