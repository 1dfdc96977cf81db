// Code samples that transcribe a file.
import { speakerFields } from '../options.tsx';
import { listText, quoted, type SampleContext, type Samples, shellText, url } from './context.ts';

const SPEAKERS_IN_CLIENT: Readonly<Record<string, string>> = { any: 'true', known: '{ knownVoices: true }' };

/** The form fields besides the file. On the OpenAI-compatible endpoint, the response format requests speakers. */
const fieldsOf = (context: SampleContext): readonly (readonly [name: string, value: string])[] => [
  ['model', context.model],
  ...(context.language ? [['language', context.language] as const] : []),
  ...(context.redact ? [['redact', context.redact] as const] : []),
  ...(context.isNative ? Object.entries(speakerFields(context)) : []),
  ...(!context.isNative && context.speakers ? [['response_format', 'diarized_json'] as const] : []),
];

const addressOf = ({ isNative }: SampleContext): string =>
  `${url}${isNative ? '/v1/transcribe' : '/v1/audio/transcriptions'}`;
const schemeOf = ({ isNative }: SampleContext): string => (isNative ? 'Token' : 'Bearer');
const partOf = ({ isNative }: SampleContext): string => (isNative ? 'audio' : 'file');
const textIn = ({ isNative }: SampleContext): string => (isNative ? 'result.transcript' : 'text');

const javascript = (context: SampleContext): string[] => {
  const { model, language, speakers, redact, fileName } = context;
  if (context.isNative)
    return [
      "import { openAsBlob } from 'node:fs';",
      "import { Faircopy } from '@faircopy/client';",
      '',
      `const faircopy = new Faircopy({ baseUrl: '${url}', apiKey: process.env.FAIRCOPY_API_KEY });`,
      `const answer = await faircopy.transcribe(await openAsBlob(${quoted(fileName)}), {`,
      `  model: '${model}',`,
      ...(language ? [`  language: '${language}',`] : []),
      ...(redact ? [`  redact: ${listText(redact)},`] : []),
      ...(speakers ? [`  speakers: ${SPEAKERS_IN_CLIENT[speakers] ?? `{ count: ${speakers} }`},`] : []),
      '});',
      'console.log(answer.result.transcript);',
    ];
  return [
    "import { openAsBlob } from 'node:fs';",
    '',
    'const form = new FormData();',
    ...fieldsOf(context).map(([name, value]) => `form.append('${name}', '${value}');`),
    `form.append('file', await openAsBlob(${quoted(fileName)}), ${quoted(fileName)});`,
    `const response = await fetch('${addressOf(context)}', {`,
    "  method: 'POST',",
    "  headers: { authorization: 'Bearer ' + process.env.FAIRCOPY_API_KEY },",
    '  body: form,',
    '});',
    'console.log((await response.json()).text);',
  ];
};

const python = (context: SampleContext): string[] => [
  'import os',
  'import requests',
  '',
  `with open(${quoted(context.fileName)}, 'rb') as audio:`,
  '    response = requests.post(',
  `        '${addressOf(context)}',`,
  `        headers={'Authorization': '${schemeOf(context)} ' + os.environ['FAIRCOPY_API_KEY']},`,
  `        data={${fieldsOf(context)
    .map(([name, value]) => `'${name}': '${value}'`)
    .join(', ')}},`,
  `        files={'${partOf(context)}': audio},`,
  '    )',
  'response.raise_for_status()',
  `print(response.json()${textIn(context)
    .split('.')
    .map((name) => `['${name}']`)
    .join('')})`,
];

const openai = ({ model, language, speakers, redact, fileName }: SampleContext): string[] => [
  "import { createReadStream } from 'node:fs';",
  "import OpenAI from 'openai';",
  '',
  `const openai = new OpenAI({ baseURL: '${url}/v1', apiKey: process.env.FAIRCOPY_API_KEY });`,
  'const { text } = await openai.audio.transcriptions.create({',
  `  file: createReadStream(${quoted(fileName)}),`,
  `  model: '${model}',`,
  ...(language ? [`  language: '${language}',`] : []),
  ...(speakers ? ["  response_format: 'diarized_json',"] : []),
  ...(redact ? [`  redact: '${redact}',`] : []),
  '});',
  'console.log(text);',
];

const deepgram = ({ model, language, speakers, redact, fileName }: SampleContext): string[] => [
  "import { createReadStream } from 'node:fs';",
  "import { DeepgramClient } from '@deepgram/sdk';",
  '',
  'const deepgram = new DeepgramClient({',
  '  apiKey: process.env.FAIRCOPY_API_KEY,',
  `  environment: { base: '${url}', production: '${url.replace('http', 'ws')}', agent: '', agentRest: '' },`,
  '});',
  `const { results } = await deepgram.listen.v1.media.transcribeFile(createReadStream(${quoted(fileName)}), {`,
  `  model: '${model}',`,
  '  smart_format: true,',
  ...(language ? [`  language: '${language}',`] : []),
  ...(speakers ? ['  diarize: true,'] : []),
  ...(redact ? [`  redact: ${listText(redact)},`] : []),
  '});',
  'console.log(results.channels[0].alternatives[0].transcript);',
];

const cliSpeakers = ({ speakers }: SampleContext): string => {
  if (speakers === '') return '';
  if (speakers === 'known') return ' --known-voices';
  return speakers === 'any' ? ' --speakers' : ` --speakers=${speakers}`;
};

export const FILE_SAMPLES: Samples = {
  curl: (context) => [
    `curl ${addressOf(context)} \\`,
    `  -H "Authorization: ${schemeOf(context)} $FAIRCOPY_API_KEY" \\`,
    ...fieldsOf(context).map(([name, value]) => `  -F ${name}=${value} \\`),
    `  -F ${partOf(context)}=@${shellText(context.fileName)}`,
  ],
  JavaScript: javascript,
  Python: python,
  'OpenAI SDK': openai,
  'Deepgram SDK': deepgram,
  CLI: (context) => [
    `npx faircopy transcribe ${shellText(context.fileName)} --url ${url} --model ${context.model}${
      context.language ? ` --language ${context.language}` : ''
    }${context.redact ? ` --redact ${context.redact}` : ''}${cliSpeakers(context)}`,
  ],
};
