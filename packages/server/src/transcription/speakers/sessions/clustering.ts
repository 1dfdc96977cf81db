// Runs clustering on two threads: for live streams and short recordings, and for long ones. Both start when needed.
import { Worker } from 'node:worker_threads';
import { programUrl } from '../../../lib/process/programs.ts';
import { type Deferred, deferred } from '../../../lib/time/deferred.ts';
import { RecogniserUnavailable } from '../../../speech/recogniser.ts';
import type { Diarization, SpeakerAnalysis } from '../diarize.ts';
import type { LiveUpdate, UtteranceAnalysis } from '../live-speakers.ts';
import type { SpeakerCount } from '../types.ts';
import {
  type ClusteringTask,
  type FromClusteringThread,
  packed,
  type ToClusteringThread,
} from './clustering-messages.ts';

/** The speakers of one live stream, on the thread that holds their state. */
export interface LiveClustering {
  add(analysis: UtteranceAnalysis): Promise<LiveUpdate>;
  close(): void;
}

/** An unused thread ends after this long. */
const IDLE_MS_MAX = 60_000;

type Result = Diarization | LiveUpdate;

class ClusteringThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Deferred<Result>>();
  readonly #onEnd: () => void;
  #streams = 0;
  #nextId = 0;
  #isOver = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(programUrl('transcription/speakers/sessions/clustering-worker'));
    this.#worker.on('message', (message: FromClusteringThread) => this.#answered(message));
    this.#worker.on('error', () => this.#over());
    this.#worker.on('exit', () => this.#over());
    // An idle thread must not keep the process alive.
    this.#worker.unref();
  }

  run(task: ClusteringTask): Promise<Result> {
    if (this.#isOver) return Promise.reject(threadLost());
    clearTimeout(this.#idleTimer);
    const id = this.#nextId++;
    const result = deferred<Result>();
    this.#waiting.set(id, result);
    this.#worker.ref();
    // The packed arrays are transferred, not copied.
    const moved = task.kind === 'recording' ? [task.analysis.embeddings.buffer, task.analysis.bits.buffer] : [];
    this.#worker.postMessage({ kind: 'run', id, task } satisfies ToClusteringThread, moved as ArrayBuffer[]);
    return result.promise;
  }

  hold(): void {
    clearTimeout(this.#idleTimer);
    this.#streams += 1;
  }

  forget(stream: number): void {
    this.#streams -= 1;
    if (this.#isOver) return;
    this.#worker.postMessage({ kind: 'forget', stream } satisfies ToClusteringThread);
    this.#endWhenIdle();
  }

  async close(): Promise<void> {
    this.#over();
    await this.#worker.terminate();
  }

  #answered(message: FromClusteringThread): void {
    const result = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('failed' in message) result?.reject(new Error(`clustering failed: ${message.failed}`));
    else result?.resolve(message.result);
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    if (this.#waiting.size > 0 || this.#streams > 0) return;
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS_MAX).unref();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idleTimer);
    for (const result of this.#waiting.values()) result.reject(threadLost());
    this.#waiting.clear();
    this.#onEnd();
  }
}

/** About ten minutes of speech, which cluster in less than a second. Longer recordings use the other thread. */
const SHORT_ATOMS_MAX = 800;

const threadLost = (): Error => new RecogniserUnavailable('The speaker clustering thread has ended.');

export class Clustering {
  readonly #threads = new Map<'short' | 'long', ClusteringThread>();
  #nextStream = 0;
  #isClosed = false;

  diarize(analysis: SpeakerAnalysis, limits: SpeakerCount): Promise<Diarization> {
    const thread = this.#thread(analysis.atoms.length > SHORT_ATOMS_MAX ? 'long' : 'short');
    return thread.run({ kind: 'recording', analysis: packed(analysis), limits }) as Promise<Diarization>;
  }

  openLive(limits: SpeakerCount): LiveClustering {
    const stream = this.#nextStream++;
    const thread = this.#thread('short');
    thread.hold();
    return {
      add: (analysis) => thread.run({ kind: 'utterance', stream, analysis, limits }) as Promise<LiveUpdate>,
      close: () => thread.forget(stream),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }

  #thread(kind: 'short' | 'long'): ClusteringThread {
    if (this.#isClosed) throw threadLost();
    const running = this.#threads.get(kind);
    if (running) return running;
    const thread = new ClusteringThread(() => {
      if (this.#threads.get(kind) === thread) this.#threads.delete(kind);
    });
    this.#threads.set(kind, thread);
    return thread;
  }
}
