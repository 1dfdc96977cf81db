// Code samples for live speech.
import type { Options } from '../options.tsx';
import { listText, type Samples, url } from './context.ts';

/** The options as lines of a JavaScript object. */
const optionLines = ({ model, language, redact }: Options): string[] => [
  `  model: '${model}',`,
  ...(language ? [`  language: '${language}',`] : []),
  ...(redact ? [`  redact: ${listText(redact)},`] : []),
];

export const LIVE_SAMPLES: Samples = {
  JavaScript: (options) => [
    "import { Faircopy } from '@faircopy/client';",
    "import { openMicrophone } from '@faircopy/client/microphone';",
    "import workletUrl from '@faircopy/client/worklet?url';",
    '',
    `const faircopy = new Faircopy({ baseUrl: '${url}', apiKey });`,
    'const microphone = await openMicrophone({ workletUrl });',
    'const stream = faircopy.live({',
    ...optionLines(options),
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
    ...optionLines(options),
    '});',
  ],
  'Deepgram SDK': (options) => [
    "import { DeepgramClient } from '@deepgram/sdk';",
    '',
    'const deepgram = new DeepgramClient({',
    '  apiKey: process.env.FAIRCOPY_API_KEY,',
    `  environment: { base: '${url}', production: '${url.replace('http', 'ws')}', agent: '', agentRest: '' },`,
    '});',
    'const live = await deepgram.listen.v1.connect({',
    ...optionLines(options),
    "  encoding: 'linear16',",
    '  sample_rate: 16000,',
    "  interim_results: 'true',",
    '});',
    "live.on('message', ({ type, is_final, channel }) => {",
    "  if (type === 'Results' && is_final) console.log(channel.alternatives[0].transcript);",
    '});',
    'live.connect();',
    'await live.waitForOpen();',
    'for await (const chunk of process.stdin) live.sendMedia(chunk);',
    "live.sendCloseStream({ type: 'CloseStream' });",
  ],
  CLI: ({ model, language, redact }) => [
    `arecord -q -f S16_LE -r 16000 -t raw | npx faircopy listen --live --url ${url} --model ${model}${
      language ? ` --language ${language}` : ''
    }${redact ? ` --redact ${redact}` : ''}`,
  ],
};
