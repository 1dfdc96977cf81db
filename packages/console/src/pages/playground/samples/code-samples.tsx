// Code samples for the recording that is shown, otherwise for the chosen options.
import { useState } from 'preact/hooks';
import { CopyButton } from '../../../components/copy-button.tsx';
import { CodeBox } from '../../../components/scroll-box.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import { accountUrl, useSession } from '../../../session.ts';
import type { Input, Options } from '../options.tsx';
import type { Recording } from '../recordings.ts';
import { contextOf } from './context.ts';
import { FILE_SAMPLES } from './file-samples.ts';
import { LIVE_SAMPLES } from './live-samples.ts';

interface Props {
  readonly options: Options;
  readonly input: Input;
  /** The longest recording that the native endpoint accepts. */
  readonly maxDurationSeconds: number;
  readonly recording: Recording | undefined;
}

const isLive = (recording: Recording | undefined, input: Input): boolean =>
  recording ? recording.state.name === 'live' : input === 'live';

export const CodeSamples = ({ options, input, recording, maxDurationSeconds }: Props) => {
  const { me, accountId } = useSession();
  const samples = isLive(recording, input) ? LIVE_SAMPLES : FILE_SAMPLES;
  const names = Object.keys(samples);
  const [wanted, setWanted] = useState('');
  const chosen = wanted in samples ? wanted : names[0]!;
  const context = contextOf(options, recording, { formats: me.server.file_formats, maxDurationSeconds });
  const text = samples[chosen]!(context).join('\n');
  return (
    <section class="card">
      <div class="card-header">
        <div>
          <h2>Use it in your program</h2>
          <p class="muted small">
            {recording ? (
              <>
                With the options used for <bdi class="name">{recording.name}</bdi>.
              </>
            ) : (
              'With the options above.'
            )}{' '}
            It reads the key from <code>FAIRCOPY_API_KEY</code>:{' '}
            <a href={accountUrl(accountId, 'keys')}>create a key</a>.
          </p>
        </div>
      </div>
      <Tabs
        label="Language of the sample"
        tabs={names.map((name) => [name, name] as const)}
        chosen={chosen}
        onChoose={setWanted}
      >
        <div class="snippet">
          <CodeBox label="Sample" text={text} />
          <div class="actions">
            <CopyButton text={text} />
          </div>
        </div>
        {context.isNative || samples === LIVE_SAMPLES ? null : (
          <p class="hint">
            The native endpoint accepts wav, ogg and webm files of at most {Math.round(maxDurationSeconds / 60)}{' '}
            minutes. This sample uses the OpenAI-compatible endpoint, which accepts other files.
          </p>
        )}
      </Tabs>
    </section>
  );
};
