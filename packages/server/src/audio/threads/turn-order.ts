// The order in which tasks run: owners take turns, and so do the tasks of each owner.

export class TurnOrder<T> {
  /** Owners in turn order, each with its waiting tasks. */
  readonly #owners = new Map<string, Set<T>>();

  /** Adding a task that waits already changes nothing. */
  add(owner: string, task: T): void {
    const tasks = this.#owners.get(owner) ?? new Set<T>();
    this.#owners.set(owner, tasks);
    tasks.add(task);
  }

  /** Takes the next task; its owner goes to the end. */
  take(): T | undefined {
    for (const [owner, tasks] of this.#owners) {
      const [task] = tasks;
      this.#owners.delete(owner);
      if (task === undefined) continue;
      tasks.delete(task);
      if (tasks.size > 0) this.#owners.set(owner, tasks);
      return task;
    }
    return undefined;
  }
}
