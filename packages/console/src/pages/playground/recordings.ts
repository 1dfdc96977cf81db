// The recordings of the playground. Sends a few at a time and keeps the answer or error of each.
import type { Faircopy } from '@faircopy/client';
import type { SuccessResponse } from '@faircopy/contract';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { asError } from '../../errors.ts';
import type { FinalEvent } from './captions.tsx';
import { durationOf } from './media-duration.ts';
import { type Options, redactionAsked, speakersAsked } from './options.tsx';

export type RecordingState =
  | { readonly name: 'waiting' }
  | { readonly name: 'sending'; readonly sentShare: number }
  | { readonly name: 'transcribing' }
  | { readonly name: 'answered'; readonly answer: SuccessResponse }
  | { readonly name: 'live'; readonly finals: readonly FinalEvent[] }
  | { readonly name: 'failed'; readonly error: Error };

export interface Recording {
  readonly id: number;
  readonly name: string;
  readonly audio: Blob;
  /** Null until the browser has measured it, and if it cannot. */
  readonly durationSeconds: number | null;
  readonly options: Options;
  readonly state: RecordingState;
}

const CONCURRENT_MAX = 2;

type Action =
  | { readonly type: 'add'; readonly recordings: readonly Recording[] }
  | {
      readonly type: 'change';
      readonly id: number;
      readonly changes: Partial<Pick<Recording, 'state' | 'durationSeconds'>>;
    }
  | { readonly type: 'remove'; readonly id: number };

const reduce = (recordings: readonly Recording[], action: Action): readonly Recording[] => {
  switch (action.type) {
    case 'add':
      return [...action.recordings, ...recordings];
    case 'change':
      return recordings.map((recording) =>
        recording.id === action.id ? { ...recording, ...action.changes } : recording,
      );
    case 'remove':
      return recordings.filter(({ id }) => id !== action.id);
  }
};

const tooLarge = (maxMegabytes: number): Error =>
  Object.assign(new Error(`The file is larger than ${maxMegabytes} MB.`), {
    code: 'FILE_TOO_LARGE',
  });

export const isActive = ({ state }: Recording): boolean => state.name === 'sending' || state.name === 'transcribing';

/** Whether it has a transcript. */
export const isDone = ({ state }: Recording): boolean => state.name === 'answered' || state.name === 'live';

export interface Recordings {
  readonly list: readonly Recording[];
  add(recordings: readonly { readonly name: string; readonly audio: Blob }[]): void;
  addLive(name: string, audio: Blob, finals: readonly FinalEvent[]): void;
  /** Also cancels the request if it is active. */
  remove(id: number): void;
  retry(id: number): void;
}

export const useRecordings = (client: () => Promise<Faircopy>, options: Options, maxMegabytes: number): Recordings => {
  const [list, dispatch] = useReducer(reduce, []);
  const active = useRef(new Map<number, AbortController>());
  const nextId = useRef(1);

  const transcribe = async ({ id, name, audio, options: asked }: Recording) => {
    const { model, language } = asked;
    const controller = new AbortController();
    active.current.set(id, controller);
    const change = (state: RecordingState) => {
      if (!controller.signal.aborted) dispatch({ type: 'change', id, changes: { state } });
    };
    change({ name: 'sending', sentShare: 0 });
    try {
      if (audio.size > maxMegabytes * 1024 * 1024) throw tooLarge(maxMegabytes);
      const answer = await (await client()).transcribe(audio, {
        model,
        language: language || undefined,
        include: ['segments', 'words', 'raw', 'edits', 'terms'],
        redact: redactionAsked(asked),
        speakers: speakersAsked(asked),
        fileName: name,
        signal: controller.signal,
        onProgress: ({ sentBytes, totalBytes }) => {
          const sentShare = totalBytes === 0 ? 1 : sentBytes / totalBytes;
          change(sentShare >= 1 ? { name: 'transcribing' } : { name: 'sending', sentShare });
        },
      });
      change({ name: 'answered', answer });
    } catch (thrown) {
      change({ name: 'failed', error: asError(thrown) });
    }
    active.current.delete(id);
  };

  useEffect(() => {
    const free = CONCURRENT_MAX - list.filter(isActive).length;
    // The list shows the newest first; the oldest is sent first.
    const waiting = list.filter(({ state }) => state.name === 'waiting').sort((a, b) => a.id - b.id);
    for (const recording of waiting.slice(0, Math.max(0, free))) void transcribe(recording);
  }, [list]);
  useEffect(
    () => () => {
      for (const controller of active.current.values()) controller.abort();
    },
    [],
  );

  const measure = ({ id, audio }: Recording) =>
    void durationOf(audio).then(
      (durationSeconds) => durationSeconds && dispatch({ type: 'change', id, changes: { durationSeconds } }),
    );
  const create = (name: string, audio: Blob, state: RecordingState): Recording => ({
    id: nextId.current++,
    name,
    audio,
    durationSeconds: null,
    options,
    state,
  });
  return {
    list,
    add: (files) => {
      const recordings = files.map(({ name, audio }) => create(name, audio, { name: 'waiting' }));
      dispatch({ type: 'add', recordings });
      for (const recording of recordings) measure(recording);
    },
    addLive: (name, audio, finals) =>
      dispatch({ type: 'add', recordings: [create(name, audio, { name: 'live', finals })] }),
    remove: (id) => {
      active.current.get(id)?.abort();
      active.current.delete(id);
      dispatch({ type: 'remove', id });
    },
    retry: (id) => dispatch({ type: 'change', id, changes: { state: { name: 'waiting' } } }),
  };
};
