// Try the service with a file or your own voice, through the same interface that programs use.
import { useState } from 'preact/hooks';
import { PageHead } from '../../parts/field.tsx';
import { useSession } from '../../session.ts';
import { Answer, type Outcome } from './answer.tsx';
import { FileInput } from './file-input.tsx';
import { MicrophoneFile } from './microphone-file.tsx';
import { MicrophoneLive } from './microphone-live.tsx';
import { type Options, OptionsBar } from './options.tsx';
import { Snippets } from './snippets.tsx';
import { useClient } from './use-client.ts';

const WAYS = [
  ['file', 'File'],
  ['record', 'Record'],
  ['live', 'Speak live'],
] as const;
type Way = (typeof WAYS)[number][0];

export const PlaygroundPage = () => {
  const { accountId, me } = useSession();
  const client = useClient(accountId);
  const [way, setWay] = useState<Way>('file');
  const [options, setOptions] = useState<Options>({ model: me.server.models.at(-1) ?? 'svc-1.0-max', language: '' });
  const [outcome, setOutcome] = useState<Outcome>({ state: 'none' });
  const busy = outcome.state === 'waiting';
  const fail = (error: Error) => setOutcome({ state: 'failed', error });

  const send = async (audio: Blob) => {
    setOutcome({ state: 'waiting' });
    try {
      const request = { model: options.model, ...(options.language ? { language: options.language } : {}) };
      setOutcome({ state: 'answered', answer: await (await client()).transcribe(audio, request) });
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };

  return (
    <>
      <PageHead
        title="Playground"
        lead="Hear what Faircopy makes of your audio. Requests here are billed like any other."
      />
      <section class="card">
        <OptionsBar models={me.server.models} options={options} onChange={setOptions} disabled={busy} />
        <div class="tabs" role="tablist" aria-label="Way of sending audio">
          {WAYS.map(([id, text]) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={id === way}
              disabled={busy}
              onClick={() => setWay(id)}
            >
              {text}
            </button>
          ))}
        </div>
        {way === 'file' ? <FileInput disabled={busy} onFile={send} /> : null}
        {way === 'record' ? <MicrophoneFile disabled={busy} onRecording={send} onError={fail} /> : null}
        {way === 'live' ? (
          <MicrophoneLive
            options={options}
            disabled={busy}
            client={client}
            onSpeaking={() => setOutcome({ state: 'none' })}
            onFinalizing={() => setOutcome({ state: 'waiting' })}
            onAnswer={(answer) => setOutcome({ state: 'answered', answer })}
            onError={fail}
          />
        ) : null}
      </section>
      <Answer outcome={outcome} />
      <Snippets options={options} />
    </>
  );
};
