// Code samples for the chosen options, for files and for live speech.
import { useState } from 'preact/hooks';
import { CopyButton } from '../../components/copy-button.tsx';
import { CodeBox } from '../../components/scroll-box.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { SERVICE_URL } from '../../paths.ts';
import { useSession } from '../../session.ts';
import type { Input, Options } from './options.tsx';

interface Context extends Options {
  /** Whether POST /v1/transcribe accepts the file; otherwise the OpenAI-compatible endpoint does. */
  readonly isNative: boolean;
  readonly fileName: string;
}

type Samples = Readonly<Record<string, (context: Context) => readonly string[]>>;

const url = SERVICE_URL;
/** The model and language as lines of a JavaScript object. */
const modelLines = ({ model, language }: Options): string[] => [
  `  model: '${model}',`,
  ...(language ? [`  language: '${language}',`] : []),
];
const modelFlags = ({ model, language }: Options): string =>
  `--url ${url} --model ${model}${language ? ` --language ${language}` : ''}`;

const FILE_SAMPLES: Samples = {
  curl: ({ model, language, isNative, fileName }) => [
    `curl ${url}${isNative ? '/v1/transcribe' : '/v1/audio/transcriptions'} \\`,
    `  -H "Authorization: ${isNative ? 'Token' : 'Bearer'} $FAIRCOPY_API_KEY" \\`,
    `  -F model=${model} \\`,
    ...(language ? [`  -F language=${language} \\`] : []),
    `  -F ${isNative ? 'audio' : 'file'}=@${fileName}`,
  ],
  JavaScript: ({ isNative, fileName, ...options }) =>
    isNative
      ? [
          "import { openAsBlob } from 'node:fs';",
          "import { Faircopy } from '@faircopy/client';",
          '',
          `const faircopy = new Faircopy({ baseUrl: '${url}', apiKey: process.env.FAIRCOPY_API_KEY });`,
          `const answer = await faircopy.transcribe(await openAsBlob('${fileName}'), {`,
          ...modelLines(options),
          '});',
          'console.log(answer.result.transcript);',
        ]
      : [
          "import { createReadStream } from 'node:fs';",
          "import OpenAI from 'openai';",
          '',
          `const client = new OpenAI({ baseURL: '${url}/v1', apiKey: process.env.FAIRCOPY_API_KEY });`,
          'const { text } = await client.audio.transcriptions.create({',
          `  file: createReadStream('${fileName}'),`,
          ...modelLines(options),
          '});',
          'console.log(text);',
        ],
  'Command line': ({ fileName, ...options }) => [`npx faircopy transcribe ${fileName} ${modelFlags(options)}`],
};

const LIVE_SAMPLES: Samples = {
  Browsers: (options) => [
    "import { Faircopy } from '@faircopy/client';",
    "import { openMicrophone } from '@faircopy/client/microphone';",
    "import workletUrl from '@faircopy/client/worklet?url';",
    '',
    `const faircopy = new Faircopy({ baseUrl: '${url}', apiKey });`,
    'const microphone = await openMicrophone({ workletUrl });',
    'const stream = faircopy.live({',
    ...modelLines(options),
    '  sampleRate: microphone.sampleRate,',
    '  onEvent: (event) => {',
    "    if (event.type === 'interim') showGrey(event.text);",
    "    if (event.type === 'final') showBlack(event.text);",
    '  },',
    '});',
    'await stream.sendAll(microphone.audio);',
    'const transcript = await stream.finish();',
  ],
  Widget: (options) => [
    "import { mountCaptions } from '@faircopy/client/captions';",
    "import workletUrl from '@faircopy/client/worklet?url';",
    '',
    "mountCaptions(document.getElementById('captions'), {",
    `  baseUrl: '${url}',`,
    '  // Use a short-lived key from your own server: visitors can read it.',
    "  apiKey: () => fetch('/my-captions-key').then((answer) => answer.text()),",
    '  workletUrl,',
    ...modelLines(options),
    '});',
  ],
  'Command line': (options) => [
    `arecord -q -f S16_LE -r 16000 -t raw | npx faircopy listen --live ${modelFlags(options)}`,
  ],
};

const CONTRACT_FORMATS = /\.(?:wav|ogg|oga|opus|webm)$/i;
/** Only file names that need no quoting in a shell are shown. */
const PLAIN_NAME = /^[\w-]+(?:\.[\w-]+)+$/;

interface Props {
  readonly options: Options;
  readonly input: Input;
  readonly lastFile: string | null;
}

export const CodeSamples = ({ options, input, lastFile }: Props) => {
  const { me } = useSession();
  const samples = input === 'live' ? LIVE_SAMPLES : FILE_SAMPLES;
  const names = Object.keys(samples);
  const [wanted, setWanted] = useState('');
  const chosen = wanted in samples ? wanted : names[0]!;
  const fileName = input === 'file' && lastFile && PLAIN_NAME.test(lastFile) ? lastFile : 'voice-note.webm';
  const isNative = CONTRACT_FORMATS.test(fileName) || me.server.file_formats === 'all';
  const text = samples[chosen]!({ ...options, isNative, fileName }).join('\n');
  return (
    <section class="card">
      <h2>Use it in your program</h2>
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
        {isNative || input === 'live' ? null : (
          <p class="hint">
            The native endpoint accepts wav, ogg and webm; the OpenAI-compatible endpoint accepts all formats.
          </p>
        )}
      </Tabs>
    </section>
  );
};
