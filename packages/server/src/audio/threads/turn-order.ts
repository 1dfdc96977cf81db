// The order in which tasks run: the owner that has used the least time is next, and tasks of an owner take turns.

/** How much earlier than the others an owner starts that was idle: about one turn. */
const CREDIT_MS = 5;

interface Owner<T> {
  readonly tasks: Set<T>;
  /** Time that it has used, from where it started. */
  usedMs: number;
}

export class TurnOrder<T> {
  /** Owners with waiting tasks, and idle ones that have used more than they would start with. Of equals the first is next. */
  readonly #owners = new Map<string, Owner<T>>();
  /** The least that a waiting owner has used. */
  #leastMs = 0;

  /** Where an owner starts that was idle: nobody saves up time. */
  get #startMs(): number {
    return this.#leastMs - CREDIT_MS;
  }

  /** Adding a task that waits already changes nothing. */
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
    // Behind its equals.
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    return task;
  }

  /** Counts the time that a task of the owner took. */
  charge(owner: string, ms: number): void {
    const known = this.#owners.get(owner);
    if (known) known.usedMs += ms;
  }

  #next(): [string, Owner<T>] | undefined {
    let least: [string, Owner<T>] | undefined;
    for (const entry of this.#owners) {
      const [name, { tasks, usedMs }] = entry;
      if (tasks.size > 0 && (!least || usedMs < least[1].usedMs)) least = entry;
      // It would start here again.
      else if (tasks.size === 0 && usedMs <= this.#startMs) this.#owners.delete(name);
    }
    return least;
  }
}
