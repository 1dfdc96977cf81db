// The same as code, with the options chosen above: for files, for recordings of the browser, and for live speech.
import { useState } from 'preact/hooks';
import { SERVICE_URL } from '../../base-path.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { CodeBox } from '../../parts/scroll-box.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useSession } from '../../session.ts';
import type { Options } from './options.tsx';

interface Asked extends Options {
  readonly url: string;
  /** Whether POST /v1/transcribe takes the file, or the OpenAI-compatible endpoint must. */
  readonly native: boolean;
  readonly fileName: string;
}

const file = {
  curl: ({ model, language, url, native, fileName }: Asked) =>
    [
      `curl ${url}${native ? '/v1/transcribe' : '/v1/audio/transcriptions'} \\`,
      `  -H "Authorization: ${native ? 'Token' : 'Bearer'} $FAIRCOPY_API_KEY" \\`,
      `  -F model=${model} \\`,
      ...(language ? [`  -F language=${language} \\`] : []),
      `  -F ${native ? 'audio' : 'file'}=@${fileName}`,
    ].join('\n'),
  JavaScript: ({ model, language, url, native, fileName }: Asked) =>
    native
      ? [
          "import { openAsBlob } from 'node:fs';",
          "import { Faircopy } from '@faircopy/client';",
          '',
          `const faircopy = new Faircopy({ baseUrl: '${url}', apiKey: process.env.FAIRCOPY_API_KEY });`,
          `const answer = await faircopy.transcribe(await openAsBlob('${fileName}'), {`,
          `  model: '${model}',`,
          ...(language ? [`  language: '${language}',`] : []),
          '});',
          'console.log(answer.result.transcript);',
        ].join('\n')
      : [
          "import { createReadStream } from 'node:fs';",
          "import OpenAI from 'openai';",
          '',
          `const client = new OpenAI({ baseURL: '${url}/v1', apiKey: process.env.FAIRCOPY_API_KEY });`,
          'const { text } = await client.audio.transcriptions.create({',
          `  file: createReadStream('${fileName}'),`,
          `  model: '${model}',`,
          ...(language ? [`  language: '${language}',`] : []),
          '});',
          'console.log(text);',
        ].join('\n'),
  'Command line': ({ model, language, url, fileName }: Asked) =>
    `npx faircopy transcribe ${fileName} --url ${url} --model ${model}${language ? ` --language ${language}` : ''}`,
} as const;

const live = {
  Browsers: ({ model, language, url }: Asked) =>
    [
      "import { Faircopy } from '@faircopy/client';",
      "import { openMicrophone } from '@faircopy/client/microphone';",
      "import workletUrl from '@faircopy/client/worklet?url';",
      '',
      `const faircopy = new Faircopy({ baseUrl: '${url}', apiKey });`,
      'const microphone = await openMicrophone({ workletUrl });',
      'const stream = faircopy.live({',
      `  model: '${model}',`,
      ...(language ? [`  language: '${language}',`] : []),
      '  sampleRate: microphone.sampleRate,',
      '  onEvent: (event) => {',
      "    if (event.type === 'interim') showGrey(event.text);",
      "    if (event.type === 'final') showBlack(event.text);",
      '  },',
      '});',
      'await stream.sendAll(microphone.audio);',
      'const transcript = await stream.finish();',
    ].join('\n'),
  Widget: ({ model, language, url }: Asked) =>
    [
      "import { mountCaptions } from '@faircopy/client/captions';",
      "import workletUrl from '@faircopy/client/worklet?url';",
      '',
      "mountCaptions(document.getElementById('captions'), {",
      `  baseUrl: '${url}',`,
      '  // Your own server hands out a key that ends soon; never put a lasting one into a page.',
      "  apiKey: () => fetch('/my-captions-key').then((answer) => answer.text()),",
      '  workletUrl,',
      `  model: '${model}',`,
      ...(language ? [`  language: '${language}',`] : []),
      '});',
    ].join('\n'),
  'Command line': ({ model, language, url }: Asked) =>
    `arecord -q -f S16_LE -r 16000 -t raw | npx faircopy listen --live --url ${url} --model ${model}${language ? ` --language ${language}` : ''}`,
} as const;

const CONTRACT_FORMATS = /\.(?:wav|ogg|oga|opus|webm)$/i;
/** A file's name goes into a shell: only one that needs no quotes is shown. */
const PLAIN_NAME = /^[\w.-]+$/;

interface Props {
  readonly options: Options;
  readonly way: 'file' | 'record' | 'live';
  readonly lastFile: string | null;
}

export const Snippets = ({ options, way, lastFile }: Props) => {
  const { me } = useSession();
  const samples: Readonly<Record<string, (asked: Asked) => string>> = way === 'live' ? live : file;
  const [wanted, setWanted] = useState('');
  const chosen = wanted in samples ? wanted : Object.keys(samples)[0]!;
  const fileName =
    way === 'file' && lastFile && PLAIN_NAME.test(lastFile) && lastFile.includes('.') ? lastFile : 'voice-note.webm';
  const native = CONTRACT_FORMATS.test(fileName) || me.server.file_formats === 'all';
  const text = samples[chosen]!({ ...options, url: SERVICE_URL, native, fileName });
  return (
    <section class="card">
      <h2>From your own program</h2>
      <Tabs
        label="Language of the example"
        tabs={Object.keys(samples).map((name) => [name, name] as const)}
        chosen={chosen}
        onChoose={setWanted}
      >
        <div class="snippet">
          <CodeBox label="Example" text={text} />
          <div class="actions">
            <CopyButton text={text} />
          </div>
        </div>
        {native || way === 'live' ? null : (
          <p class="hint">
            The native endpoint takes wav, ogg and webm; other formats go to the OpenAI-compatible one, which takes all.
          </p>
        )}
      </Tabs>
    </section>
  );
};
