// Fuzz targets of the vendors' live protocols: OpenAI's realtime events, and Deepgram's query and messages.
import { parse } from 'node:querystring';
import { MODEL_IDS } from '@faircopy/contract';
import { ModelNames } from '../../../src/calls/model-names.ts';
import { readListenFile } from '../../../src/endpoints/deepgram/file/parameters.ts';
import { listenKeyOf, readListenRequest } from '../../../src/endpoints/deepgram/live/handshake.ts';
import { readListenMessage } from '../../../src/endpoints/deepgram/live/messages.ts';
import { DEEPGRAM_MODELS } from '../../../src/endpoints/deepgram/model-aliases.ts';
import { OPENAI_MODELS } from '../../../src/endpoints/openai/model-aliases.ts';
import { readClientEvent } from '../../../src/endpoints/openai/realtime/client-events.ts';
import {
  ConfigProblem,
  defaultConfig,
  liveAudioOf,
  liveOptionsOf,
  type SessionConfig,
  shownFlatSession,
  shownSession,
  updatedConfig,
  updatedFlatConfig,
} from '../../../src/endpoints/openai/realtime/session-config.ts';
import { type FuzzTarget, refusedOnly } from '../target.ts';

const NAMES = new ModelNames([...OPENAI_MODELS, ...DEEPGRAM_MODELS], MODEL_IDS);
const EVENT_END = '\n';
const IDENTITY = { id: 'sess_1', expiresAt: 1 };
/** The answer to a session update may echo the update, and little else. */
const ECHO_FACTOR = 8;

const input = (fields: object) => ({
  type: 'session.update',
  session: { type: 'transcription', audio: { input: fields } },
});

const checkConfig = (config: SessionConfig, bytes: number): void => {
  const { sampleRateHz } = liveAudioOf(config);
  if (!(sampleRateHz >= 8_000 && sampleRateHz <= 48_000)) throw new Error('an impossible rate');
  if (!MODEL_IDS.includes(config.model)) throw new Error('an impossible model');
  const { finals, vocabulary } = liveOptionsOf(config);
  if (finals?.kind !== 'utterances' || Number.isNaN(finals.endpointingMs ?? 0)) throw new Error('impossible finals');
  if ((vocabulary?.length ?? 0) > 1_000) throw new Error('an unbounded vocabulary');
  for (const shown of [shownSession(IDENTITY, config), shownFlatSession(IDENTITY, config)])
    if (JSON.stringify(shown).length > 1_000 + ECHO_FACTOR * bytes) throw new Error('an answer larger than the update');
};

export const realtimeTarget = async (): Promise<FuzzTarget> => ({
  seeds: [
    [input({ format: { type: 'audio/pcm', rate: 16_000 }, transcription: { model: 'whisper-1', language: 'de' } })],
    [input({ turn_detection: { type: 'semantic_vad', silence_duration_ms: 200 }, format: { type: 'audio/pcmu' } })],
    [input({ turn_detection: null, transcription: { prompt: 'Anna, Faircopy', keywords: ['one', 'two'] } })],
    [
      {
        type: 'transcription_session.update',
        session: { input_audio_format: 'g711_alaw', input_audio_transcription: { model: 'gpt-4o-transcribe' } },
      },
    ],
    [{ type: 'input_audio_buffer.append', audio: 'AAAA', event_id: 'e1' }, { type: 'input_audio_buffer.commit' }],
    [{ type: 'input_audio_buffer.clear' }, { type: 'response.create', event_id: 7 }],
  ].map((events) => Buffer.from(events.map((event) => JSON.stringify(event)).join(EVENT_END))),
  dictionary: [
    '"type":',
    '"session":',
    '"audio":',
    '"input":',
    '"format":',
    '"rate":',
    '"transcription":',
    '"model":',
    '"keywords":',
    '"prompt":',
    '"turn_detection":',
    '"silence_duration_ms":',
    '"event_id":',
    '"__proto__":',
    'null',
    '1e999',
    '[]',
    '{}',
    EVENT_END,
  ],
  within: '/src/endpoints/openai/realtime/',
  bytesMax: 4_096,
  run: (bytes) => {
    let config = defaultConfig('gpt-4o-transcribe', NAMES.tierOf('gpt-4o-transcribe')!);
    const isBinary = bytes[0] === 0;
    for (const line of Buffer.from(bytes).toString('latin1').split(EVENT_END)) {
      const event = readClientEvent(Buffer.from(line, 'latin1'), isBinary);
      if (event.type === 'append' && event.audio.length > line.length) throw new Error('more audio than was sent');
      if (event.type === 'reject' && JSON.stringify(event.problem).length > 4_096)
        throw new Error('a refusal that echoes too much');
      if (event.type !== 'update') continue;
      try {
        config = (event.isFlat ? updatedFlatConfig : updatedConfig)(event.session, config, NAMES);
      } catch (thrown) {
        if (!(thrown instanceof ConfigProblem)) throw thrown;
      }
      checkConfig(config, bytes.length);
    }
  },
});

export const deepgramTarget = async (): Promise<FuzzTarget> => ({
  seeds: [
    'model=nova-3&encoding=linear16&sample_rate=16000&channels=2&multichannel=true&interim_results=true\n{"type":"KeepAlive"}',
    'model=nova-2&language=de&endpointing=300&utterance_end_ms=1000&vad_events=true\n{"type":"Finalize","channel":1}',
    'keywords=Anna:2&keyterm=Faircopy&replace=a:b&search=x&diarize=true&smart_format=true\n{"type":"CloseStream"}',
    'model=svc-1.0-max&punctuate=false&numerals=true&detect_language=true&redact=pci\n{"type":"Configure"}',
  ].map((text) => Buffer.from(text)),
  dictionary: [
    '&model=',
    '&encoding=mulaw',
    '&sample_rate=',
    '&channels=',
    '&multichannel=true',
    '&endpointing=',
    '&keywords=',
    '&keyterm=',
    '&replace=',
    '&language=multi',
    '&diarize=',
    'true',
    'false',
    '%00',
    '\n',
    '{"type":',
    '"Finalize"',
    '"channel":',
    '1e99',
    'null',
  ],
  within: '/src/endpoints/deepgram/',
  bytesMax: 4_200,
  run: (bytes) => {
    const [address = '', ...messages] = Buffer.from(bytes).toString('latin1').split('\n');
    const query = parse(address);
    refusedOnly(() => void listenKeyOf({ 'sec-websocket-protocol': address, authorization: messages[0] }));
    refusedOnly(() => {
      const { audio, channels, utteranceEndMs } = readListenRequest(query, NAMES);
      if (!(channels >= 1 && channels <= 8)) throw new Error('an impossible number of channels');
      if (audio.kind === 'raw' && !(audio.sampleRateHz >= 1_000 && audio.sampleRateHz <= 1_000_000))
        throw new Error('an impossible rate');
      if (Number.isNaN(utteranceEndMs ?? 0)) throw new Error('a time that is not a number');
    });
    refusedOnly(() => void readListenFile(query, NAMES));
    for (const message of messages) {
      const read = readListenMessage(Buffer.from(message, 'latin1'));
      if (typeof read !== 'string' && !['KeepAlive', 'Finalize', 'CloseStream', 'unknown'].includes(read.type))
        throw new Error('neither a message nor an error text');
    }
  },
});
