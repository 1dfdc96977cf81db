// Uploads files as jobs, one at a time.
import type { JobObject } from '@faircopy/contract';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { uploadJob } from '../../api/upload-job.ts';
import { asError } from '../../errors.ts';
import { type Options, speakerFields } from '../playground/options.tsx';
import { rememberJobName } from './job-names.ts';

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly options: Options;
  readonly state:
    | { readonly name: 'waiting' }
    | { readonly name: 'sending'; readonly sentShare: number }
    | { readonly name: 'failed'; readonly error: Error };
}

type Action =
  | { readonly type: 'add'; readonly uploads: readonly Upload[] }
  | { readonly type: 'change'; readonly id: number; readonly state: Upload['state'] }
  | { readonly type: 'remove'; readonly id: number };

const reduce = (uploads: readonly Upload[], action: Action): readonly Upload[] => {
  if (action.type === 'add') return [...uploads, ...action.uploads];
  if (action.type === 'remove') return uploads.filter(({ id }) => id !== action.id);
  return uploads.map((upload) => (upload.id === action.id ? { ...upload, state: action.state } : upload));
};

/** The details that the console needs to show words and to save subtitles. */
const INCLUDE = 'segments,words,raw,edits';

export interface JobUploads {
  readonly list: readonly Upload[];
  add(files: readonly File[], options: Options): void;
  /** Also cancels the upload if it is active. */
  remove(id: number): void;
  retry(id: number): void;
}

export const useJobUploads = (key: () => Promise<string>, onSent: (job: JobObject) => void): JobUploads => {
  const [list, dispatch] = useReducer(reduce, []);
  const nextId = useRef(1);
  const active = useRef<{ readonly id: number; readonly stop: AbortController } | null>(null);

  const send = async ({ id, file, options }: Upload) => {
    const stop = new AbortController();
    active.current = { id, stop };
    const change = (state: Upload['state']) => {
      if (!stop.signal.aborted) dispatch({ type: 'change', id, state });
    };
    change({ name: 'sending', sentShare: 0 });
    try {
      const { model, language, redact } = options;
      const fields = {
        model,
        ...(language && { language }),
        ...(redact && { redact }),
        include: INCLUDE,
        ...speakerFields(options),
      };
      const onProgress = (sentShare: number) => change({ name: 'sending', sentShare });
      const job = await uploadJob({ apiKey: await key(), file, fields, signal: stop.signal, onProgress });
      rememberJobName(job.id, file.name);
      dispatch({ type: 'remove', id });
      onSent(job);
    } catch (thrown) {
      change({ name: 'failed', error: asError(thrown) });
    }
    if (active.current?.id === id) active.current = null;
  };

  useEffect(() => {
    const next = list.find(({ state }) => state.name === 'waiting');
    if (next && active.current === null) void send(next);
  }, [list]);
  useEffect(() => () => active.current?.stop.abort(), []);

  return {
    list,
    add: (files, options) =>
      dispatch({
        type: 'add',
        uploads: files.map((file) => ({ id: nextId.current++, file, options, state: { name: 'waiting' } })),
      }),
    remove: (id) => {
      if (active.current?.id === id) {
        active.current.stop.abort();
        active.current = null;
      }
      dispatch({ type: 'remove', id });
    },
    retry: (id) => dispatch({ type: 'change', id, state: { name: 'waiting' } }),
  };
};
