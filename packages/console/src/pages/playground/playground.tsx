// Try the service with files or your own voice: what was heard, what was made of it, and why.
import { LIMITS } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/console.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { useSession } from '../../session.ts';
import { FileInput } from './file-input.tsx';
import { helpFor, JobList } from './job-list.tsx';
import { useJobs } from './jobs.ts';
import { MicrophoneFile } from './microphone-file.tsx';
import { MicrophoneLive } from './microphone-live.tsx';
import { type Options, OptionsBar } from './options.tsx';
import { Snippets } from './snippets.tsx';
import { TranscriptView } from './transcript/transcript-view.tsx';
import { useClients } from './use-client.ts';

const WAYS = [
  ['file', 'File'],
  ['record', 'Record'],
  ['live', 'Speak live'],
] as const;
type Way = (typeof WAYS)[number][0];

const nameNow = (what: string): string =>
  `${what} ${new Date().toLocaleTimeString(undefined, { timeStyle: 'medium' })}`;

export const PlaygroundPage = () => {
  const { accountId, account, me } = useSession();
  const clients = useClients(accountId);
  const detail = useLoad(() => api.account(accountId), [accountId]);
  const [way, setWay] = useState<Way>('file');
  const [options, setOptions] = useState<Options>({ model: me.server.models.at(-1) ?? 'svc-1.0-max', language: '' });
  const [error, setError] = useState<Error | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const jobs = useJobs(clients.files, options);
  const finished = jobs.jobs.filter(({ state }) => state.name === 'answered' || state.name === 'spoken');
  const shown = finished.find(({ id }) => id === chosenId) ?? finished[0];
  const maxDurationSeconds =
    detail.load.state === 'ready'
      ? detail.load.data.effective_limits.max_duration_seconds
      : LIMITS.fileDurationSecondsMax;
  const add = (recordings: readonly { name: string; audio: Blob }[]) => {
    setError(null);
    setChosenId(null);
    jobs.add(recordings);
  };

  return (
    <>
      <PageHead
        title="Playground"
        of={account.name}
        lead="Hear what Faircopy makes of your audio. Audio and text stay in this tab; requests are billed like any other."
      />
      <section class="card">
        <OptionsBar models={me.server.models} options={options} onChange={setOptions} disabled={false} />
        <Tabs label="Way of sending audio" tabs={WAYS} chosen={way} onChoose={setWay}>
          {way === 'file' ? (
            <FileInput
              maxDurationSeconds={maxDurationSeconds}
              onFiles={(files) => add(files.map((file) => ({ name: file.name, audio: file })))}
            />
          ) : null}
          {way === 'record' ? (
            <MicrophoneFile onRecording={(audio) => add([{ name: nameNow('Recording'), audio }])} onError={setError} />
          ) : null}
          {way === 'live' ? (
            <MicrophoneLive
              options={options}
              client={clients.live}
              onStart={() => setError(null)}
              onSpoken={(finals, recording) => {
                setChosenId(null);
                jobs.addSpoken(nameNow('Spoken'), recording, finals);
              }}
              onError={setError}
            />
          ) : null}
        </Tabs>
        {error ? <Failure error={error} help={helpFor(error)} /> : null}
        {jobs.jobs.length > 0 ? <JobList jobs={jobs} shownId={shown?.id ?? null} onShow={setChosenId} /> : null}
      </section>
      {shown ? <TranscriptView key={shown.id} job={shown} /> : null}
      <Snippets
        options={options}
        way={way}
        lastFile={jobs.jobs.find(({ state }) => state.name !== 'failed')?.name ?? null}
      />
    </>
  );
};
