// Recordings on their way: a few at a time are sent, each can be cancelled, and each ends with an answer or a reason.
import type { Faircopy } from '@faircopy/client';
import { LIMITS, type SuccessResponse } from '@faircopy/contract';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { FinalEvent } from './captions.tsx';
import { lengthOf } from './media-length.ts';
import type { Options } from './options.tsx';

export type JobState =
  | { readonly name: 'waiting' }
  | { readonly name: 'sending'; readonly sentShare: number }
  | { readonly name: 'transcribing' }
  | { readonly name: 'answered'; readonly answer: SuccessResponse }
  | { readonly name: 'spoken'; readonly finals: readonly FinalEvent[] }
  | { readonly name: 'failed'; readonly error: Error }
  | { readonly name: 'cancelled' };

export interface Job {
  readonly id: number;
  readonly name: string;
  readonly audio: Blob;
  /** Null until the browser has told, or when it cannot read the format. */
  readonly lengthSeconds: number | null;
  readonly options: Options;
  readonly state: JobState;
}

const AT_ONCE = 2;

type Action =
  | { readonly type: 'add'; readonly jobs: readonly Job[] }
  | { readonly type: 'change'; readonly id: number; readonly changes: Partial<Pick<Job, 'state' | 'lengthSeconds'>> }
  | { readonly type: 'remove'; readonly id: number };

const reduce = (jobs: readonly Job[], action: Action): readonly Job[] => {
  switch (action.type) {
    case 'add':
      return [...action.jobs, ...jobs];
    case 'change':
      return jobs.map((job) => (job.id === action.id ? { ...job, ...action.changes } : job));
    case 'remove':
      return jobs.filter((job) => job.id !== action.id);
  }
};

const tooLarge = (): Error =>
  Object.assign(new Error(`The file is larger than ${LIMITS.fileBytesMax / 1024 / 1024} MB.`), {
    code: 'FILE_TOO_LARGE',
  });

const isUnderWay = ({ state }: Job): boolean => state.name === 'sending' || state.name === 'transcribing';

export interface Jobs {
  readonly jobs: readonly Job[];
  add(recordings: readonly { readonly name: string; readonly audio: Blob }[]): void;
  /** Something that was spoken live, with its text. */
  addSpoken(name: string, audio: Blob, finals: readonly FinalEvent[]): void;
  /** Stops it when it is under way, and takes it off the list. */
  remove(id: number): void;
  retry(id: number): void;
}

export const useJobs = (client: () => Promise<Faircopy>, options: Options): Jobs => {
  const [jobs, dispatch] = useReducer(reduce, []);
  const running = useRef(new Map<number, AbortController>());
  const nextId = useRef(1);

  const run = async (job: Job) => {
    const stop = new AbortController();
    running.current.set(job.id, stop);
    const change = (state: JobState) => {
      if (!stop.signal.aborted) dispatch({ type: 'change', id: job.id, changes: { state } });
    };
    change({ name: 'sending', sentShare: 0 });
    try {
      if (job.audio.size > LIMITS.fileBytesMax) throw tooLarge();
      const { model, language } = job.options;
      const answer = await (await client()).transcribe(job.audio, {
        model,
        include: ['segments', 'words', 'raw', 'edits'],
        fileName: job.name,
        signal: stop.signal,
        onProgress: ({ sentBytes, totalBytes }) => {
          const sentShare = totalBytes === 0 ? 1 : sentBytes / totalBytes;
          change(sentShare >= 1 ? { name: 'transcribing' } : { name: 'sending', sentShare });
        },
        ...(language ? { language } : {}),
      });
      change({ name: 'answered', answer });
    } catch (thrown) {
      change({ name: 'failed', error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    }
    running.current.delete(job.id);
  };

  useEffect(() => {
    const free = AT_ONCE - jobs.filter(isUnderWay).length;
    // The list shows the newest files first; the oldest goes first.
    const waiting = jobs.filter(({ state }) => state.name === 'waiting').sort((a, b) => a.id - b.id);
    for (const job of waiting.slice(0, Math.max(0, free))) void run(job);
  }, [jobs]);
  useEffect(
    () => () => {
      for (const stop of running.current.values()) stop.abort();
    },
    [],
  );

  const measure = (job: Job) =>
    void lengthOf(job.audio).then(
      (lengthSeconds) => lengthSeconds && dispatch({ type: 'change', id: job.id, changes: { lengthSeconds } }),
    );
  const made = (name: string, audio: Blob, state: JobState): Job => ({
    ...{ id: nextId.current++, name, audio, lengthSeconds: null, options, state },
  });
  return {
    jobs,
    add: (recordings) => {
      const added = recordings.map(({ name, audio }) => made(name, audio, { name: 'waiting' }));
      dispatch({ type: 'add', jobs: added });
      for (const job of added) measure(job);
    },
    addSpoken: (name, audio, finals) =>
      dispatch({ type: 'add', jobs: [{ ...made(name, audio, { name: 'spoken', finals }) }] }),
    remove: (id) => {
      running.current.get(id)?.abort();
      running.current.delete(id);
      dispatch({ type: 'remove', id });
    },
    retry: (id) => dispatch({ type: 'change', id, changes: { state: { name: 'waiting' } } }),
  };
};
