// Whether the server accepts requests: starting, ready, failed or draining.

export type ReadyState = 'starting' | 'ready' | 'failed' | 'draining';

export class Readiness {
  #state: ReadyState = 'starting';
  #message = 'the models are being loaded';
  readonly #draining = new AbortController();

  get state(): ReadyState {
    return this.#state;
  }

  /** The message of /readyz. */
  get message(): string {
    return this.#message;
  }

  /** Aborted when the server begins to stop. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** Sets the message while starting. */
  progress(message: string): void {
    if (this.#state === 'starting') this.#message = message;
  }

  ready(): void {
    if (this.#state === 'starting' || this.#state === 'failed') this.#move('ready', 'ready');
  }

  failed(message: string): void {
    if (this.#state !== 'draining') this.#move('failed', message);
  }

  drain(): void {
    if (this.#state === 'draining') return;
    this.#move('draining', 'the service is stopping');
    this.#draining.abort();
  }

  #move(state: ReadyState, message: string): void {
    this.#state = state;
    this.#message = message;
  }
}
