// The playground: transcribe files or speech, and compare the recognised with the refined text.
import { LIMITS } from '@faircopy/contract';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorNotice } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session.ts';
import { FileInput } from './file-input.tsx';
import { LiveInput } from './live-input.tsx';
import { defaultOptions, type Input, type Options, OptionsBar } from './options.tsx';
import { RecordInput } from './record-input.tsx';
import { helpFor, RecordingList } from './recording-list.tsx';
import { RecordingMatches } from './recording-matches.tsx';
import { isDone, useRecordings } from './recordings.ts';
import { CodeSamples } from './samples/code-samples.tsx';
import { TranscriptView } from './transcript/transcript-view.tsx';
import { useClients } from './use-clients.ts';

const INPUTS: readonly (readonly [Input, string])[] = [
  ['file', 'File'],
  ['record', 'Record'],
  ['live', 'Speak live'],
];

const nameNow = (what: string): string =>
  `${what} ${new Date().toLocaleTimeString(undefined, { timeStyle: 'medium' })}`;

export const PlaygroundPage = () => {
  const { accountId, account, me } = useSession();
  const clients = useClients(accountId);
  const detail = useLoad(() => api.account(accountId), [accountId]);
  const [input, setInput] = useState<Input>('file');
  const [options, setOptions] = useState<Options>(() => defaultOptions(me));
  const [error, setError] = useState<Error | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const recordings = useRecordings(clients.files, options, me.server.file_mb_max);
  const done = recordings.list.filter(isDone);
  const shown = done.find(({ id }) => id === chosenId) ?? done[0];
  const ownSeconds = detail.load.state === 'ready' ? detail.load.data.effective_limits.max_duration_seconds : 0;
  const maxDurationSeconds = Math.max(me.server.file_seconds_max, ownSeconds);
  const add = (files: readonly { name: string; audio: Blob }[]) => {
    setError(null);
    setChosenId(null);
    recordings.add(files);
  };

  return (
    <>
      <PageHeader
        title="Playground"
        of={account.name}
        lead="Try Faircopy with your own audio. Audio and text stay in this tab; requests are billed as usual."
      />
      <section class="card">
        <OptionsBar
          models={me.server.models}
          knowsVoices={me.server.known_voices}
          options={options}
          onChange={setOptions}
        />
        <Tabs label="Audio source" tabs={INPUTS} chosen={input} onChoose={setInput}>
          {input === 'file' ? (
            <FileInput
              maxDurationSeconds={maxDurationSeconds}
              maxMegabytes={me.server.file_mb_max}
              onFiles={(files) => add(files.map((file) => ({ name: file.name, audio: file })))}
            />
          ) : null}
          {input === 'record' ? (
            <RecordInput onRecording={(audio) => add([{ name: nameNow('Recording'), audio }])} onError={setError} />
          ) : null}
          {input === 'live' ? (
            <LiveInput
              options={options}
              client={clients.live}
              onStart={() => setError(null)}
              onFinish={(finals, audio) => {
                setChosenId(null);
                recordings.addLive(nameNow('Live'), audio, finals);
              }}
              onError={setError}
            />
          ) : null}
        </Tabs>
        {error ? <ErrorNotice error={error} help={helpFor(error)} /> : null}
        {recordings.list.length > 0 ? (
          <RecordingList recordings={recordings} shownId={shown?.id ?? null} onShow={setChosenId} />
        ) : null}
        {done.length > 1 ? <RecordingMatches recordings={done} onShow={setChosenId} /> : null}
      </section>
      {shown ? <TranscriptView key={shown.id} recording={shown} /> : null}
      <CodeSamples
        options={options}
        input={input}
        maxDurationSeconds={ownSeconds || LIMITS.fileDurationSecondsMax}
        recording={shown}
      />
    </>
  );
};
