// Timers as a dependency, so that a simulation can run them in virtual time.

export interface Timer {
  stop(): void;
  /** Lets the process exit while the timer is pending. */
  unref(): Timer;
}

export interface Timers {
  after(ms: number, run: () => void): Timer;
  every(ms: number, run: () => void): Timer;
}

const timerOf = (timeout: NodeJS.Timeout): Timer => {
  const timer: Timer = {
    stop: () => clearTimeout(timeout),
    unref: () => {
      timeout.unref();
      return timer;
    },
  };
  return timer;
};

export const systemTimers: Timers = {
  after: (ms, run) => timerOf(setTimeout(run, ms)),
  every: (ms, run) => timerOf(setInterval(run, ms)),
};
