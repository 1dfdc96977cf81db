// Sends files as jobs, with options and upload progress.
import type { JobObject } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { RowAction } from '../../components/data-table.tsx';
import { bytes } from '../../format.ts';
import { useSession } from '../../session.ts';
import { FileInput } from '../playground/file-input.tsx';
import { defaultOptions, type Options, OptionsBar } from '../playground/options.tsx';
import { useClients } from '../playground/use-clients.ts';
import { type JobUploads, type Upload, useJobUploads } from './use-job-uploads.ts';

const UploadItem = ({ upload: { id, file, state }, uploads }: { upload: Upload; uploads: JobUploads }) => (
  <li class="recording">
    <div class="recording-line">
      <span class={state.name === 'failed' ? 'failed-name' : 'recording-name'} role="status">
        <bdi class="name">{file.name}</bdi>
        {state.name === 'failed' ? (
          <span class="failure" title={state.error.message}>
            {state.error.message}
          </span>
        ) : (
          <span class="muted small">
            {bytes(file.size)} ·{' '}
            {state.name === 'waiting' ? 'Waiting' : `Sending, ${Math.round(state.sentShare * 100)} %`}
          </span>
        )}
      </span>
      <span class="actions">
        {state.name === 'failed' ? (
          <RowAction text="Try again" of={file.name} onClick={() => uploads.retry(id)} />
        ) : null}
        <RowAction
          text={state.name === 'failed' ? 'Remove' : 'Cancel'}
          of={file.name}
          onClick={() => uploads.remove(id)}
        />
      </span>
    </div>
    {state.name === 'sending' ? (
      <progress max={1} value={state.sentShare} aria-label={`Upload of ${file.name}`} />
    ) : null}
  </li>
);

interface Props {
  readonly limits: { readonly file_mb_max: number; readonly file_seconds_max: number };
  readonly onSent: (job: JobObject) => void;
}

export const SendJobs = ({ limits, onSent }: Props) => {
  const { me, accountId } = useSession();
  const [options, setOptions] = useState<Options>(() => defaultOptions(me));
  const uploads = useJobUploads(useClients(accountId).key, onSent);
  return (
    <section class="card">
      <OptionsBar
        models={me.server.models}
        knowsVoices={me.server.known_voices}
        options={options}
        onChange={setOptions}
      />
      <FileInput
        maxDurationSeconds={limits.file_seconds_max}
        maxMegabytes={limits.file_mb_max}
        onFiles={(files) => uploads.add(files, options)}
      />
      {uploads.list.length > 0 ? (
        <ul class="recordings" aria-label="Uploads">
          {uploads.list.map((upload) => (
            <UploadItem key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      ) : null}
    </section>
  );
};
