// Live captions of real speech: latency of words and finals, words that change, and CPU, compared with a naive client.
// Run: npm run bench:live [-- --tiers svc-1.0-lite,svc-1.0-pro] [--seconds 60] [--streams 4] [--folders en/ls_clean,…]
// [--only latency,accuracy,turns] [--calls ../shared/speakers/dev] [--sides 12] [--at-once 3] [--ways TEXT] [--json FILE].
// FILE gets pauses and ends of turns.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ModelId, modelId } from '@faircopy/contract';
import { createUploadDecoding } from '@faircopy/server/audio';
import { clientOf } from './clients.ts';
import { type Clip, packedClips, RATE_HZ, readSentences, secondsOf } from './clips.ts';
import { errorRatePercent, scoreFolders } from './eval/score.ts';
import { readRecording, recordingNames } from './eval-speakers/recordings.ts';
import { type CallSide, sideOf } from './live/call-sides.ts';
import { type CaptionRequest, type Captions, liveCaptions, naiveCaptions, sendFrames } from './live/captions.ts';
import { appearances, changes, type SpokenWord } from './live/shown-words.ts';
import { addTurns, endsOf, newTurnScore, TURN_WAYS, turnRow } from './live/turns.ts';
import { type Cell, markdownTable } from './markdown-table.ts';
import { pcm16, wavOf } from './pcm-speech.ts';
import { costBetween } from './process-cost.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { percentile, sum } from './statistics.ts';

const { values: asked } = parseArgs({
  options: {
    tiers: { type: 'string', default: 'svc-1.0-lite,svc-1.0-pro' },
    seconds: { type: 'string', default: '60' },
    streams: { type: 'string', default: '4' },
    folders: { type: 'string', default: 'en/ls_clean,en/ls_test_other' },
    endpointing: { type: 'string', default: '600' },
    only: { type: 'string', default: 'latency,accuracy,turns' },
    calls: { type: 'string', default: '../shared/speakers/dev' },
    sides: { type: 'string', default: '12' },
    'at-once': { type: 'string', default: '3' },
    ways: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});
const tiers = asked.tiers.split(',').map((id) => modelId.parse(id));
const folders = asked.folders.split(',');
const endpointingMs = Number(asked.endpointing);
const parts = new Set(asked.only.split(','));

/** Sentences with a pause after each, as in dictation or conversation. */
const PAUSE_SECONDS = 0.9;
const talkOf = (sentences: readonly Clip[], seconds: number): Float32Array => {
  const talk = new Float32Array(Math.round(seconds * RATE_HZ));
  let at = Math.round(0.3 * RATE_HZ);
  for (const { samples } of sentences) {
    if (at + samples.length > talk.length) break;
    talk.set(samples, at);
    at += samples.length + Math.round(PAUSE_SECONDS * RATE_HZ);
  }
  return talk.subarray(0, Math.min(talk.length, at));
};

const spokenWords = async (server: ServerProcess, model: ModelId, audio: Buffer): Promise<SpokenWord[]> => {
  const { detail } = await clientOf(server).transcribe(wavOf(audio), { model, include: ['words'] });
  return (detail?.words ?? []).map(({ text, start_seconds, end_seconds }) => ({
    text,
    startMs: start_seconds * 1000,
    endMs: end_seconds * 1000,
  }));
};

const seconds = (ms: number): string => (Number.isNaN(ms) ? '–' : (ms / 1000).toFixed(2));

/** Runs one stream per audio at the same time, and measures them together. */
const measure = async (
  server: ServerProcess,
  name: string,
  model: ModelId,
  audio: readonly Buffer[],
  spoken: readonly (readonly SpokenWord[])[],
  caption: (audio: Buffer) => Promise<Captions>,
  baseCpu: number,
): Promise<{ readonly row: Record<string, Cell>; readonly cpu: number }> => {
  const before = await server.cost();
  const captions = await Promise.all(audio.map(caption));
  const { cpuSeconds } = costBetween(before, await server.cost());
  const audioSeconds = sum(audio.map(({ length }) => length / (2 * RATE_HZ)));
  const cpu = cpuSeconds / audioSeconds;
  const seen = captions.flatMap(({ shown }, index) => appearances(spoken[index]!, shown));
  const times = seen.map(({ afterMs }) => afterMs);
  const late = seen.filter(({ byFinal }) => byFinal).length;
  const finals = captions.flatMap(({ finalMs }) => finalMs);
  const counts = captions.map(({ shown }) => changes(shown));
  const shownWords = sum(counts.map(({ shown }) => shown));
  const changed = sum(counts.map((count) => count.changed));
  const row = {
    tier: model,
    captions: name,
    streams: audio.length,
    'words seen': `${Math.round((100 * times.length) / sum(spoken.map(({ length }) => length)))} %`,
    'appear p50 s': seconds(percentile(times, 0.5)),
    'p95 s': seconds(percentile(times, 0.95)),
    'only in finals': times.length === 0 ? '–' : `${((100 * late) / times.length).toFixed(1)} %`,
    'changed after shown': shownWords === 0 ? '–' : `${((100 * changed) / shownWords).toFixed(1)} %`,
    'final p50 s': seconds(percentile(finals, 0.5)),
    'final p95 s': seconds(percentile(finals, 0.95)),
    'CPU s per audio s': cpu.toFixed(3),
    'CPU ÷ native': Number.isNaN(baseCpu) ? '1.00' : (cpu / baseCpu).toFixed(2),
  };
  console.error(JSON.stringify(row));
  return { row, cpu };
};

const nativeStream =
  (server: ServerProcess, model: ModelId) =>
  async (audio: Buffer): Promise<Captions> => {
    const stream = clientOf(server).stream({ model });
    await stream.opened;
    const startMs = performance.now();
    await sendFrames(audio, 'real time', (frame) => stream.send(frame));
    const { result } = await stream.finish();
    const words = result.transcript.split(' ').map((text) => ({ text, startMs: Number.POSITIVE_INFINITY }));
    return {
      shown: [{ atMs: performance.now() - startMs, words, isFinal: true }],
      text: result.transcript,
      finalMs: [],
    };
  };

const measureLatency = async (server: ServerProcess, model: ModelId): Promise<Record<string, Cell>[]> => {
  const count = Number(asked.streams);
  const sentences = await readSentences(folders, (Number(asked.seconds) * (count + 1)) / folders.length);
  const talks = Array.from({ length: count }, (_, nth) => {
    const from = Math.floor((nth * sentences.length) / count);
    return pcm16(talkOf([...sentences.slice(from), ...sentences.slice(0, from)], Number(asked.seconds)));
  });
  const spoken: SpokenWord[][] = [];
  for (const talk of talks) spoken.push(await spokenWords(server, model, talk));
  const live = (interims: boolean): CaptionRequest => ({ model, interims, endpointingMs, smartFormat: false });
  const [first] = talks as [Buffer, ...Buffer[]];
  const one = (name: string, caption: (audio: Buffer) => Promise<Captions>, baseCpu: number) =>
    measure(server, name, model, [first], [spoken[0]!], caption, baseCpu);
  const native = await one('native stream (one result)', nativeStream(server, model), Number.NaN);
  const rows = [native.row];
  for (const [name, caption] of [
    ['live, finals only', (audio: Buffer) => liveCaptions(server, audio, live(false))],
    ['live, interims', (audio: Buffer) => liveCaptions(server, audio, live(true))],
    ['naive: last 5 s as a file', (audio: Buffer) => naiveCaptions(server, audio, model)],
  ] as const)
    rows.push((await one(name, caption, native.cpu)).row);
  if (count > 1) {
    const many = (audio: Buffer) => liveCaptions(server, audio, live(true));
    rows.push((await measure(server, 'live, interims', model, talks, spoken, many, native.cpu)).row);
  }
  return rows;
};

/** Error rates of joined finals and of file mode on the same audio, sent at once: the pace does not change finals. */
const measureAccuracy = async (server: ServerProcess, model: ModelId): Promise<Record<string, Cell>[]> => {
  const rows: Record<string, Cell>[] = [];
  for (const folder of folders) {
    const clips = packedClips(await readSentences([folder], Number(asked.seconds) * 4), 60);
    const manifest = clips.map(({ name, text, language }) => ({ file: name, text, language }));
    const rate = (texts: ReadonlyMap<string, string>): number => {
      const hypotheses = new Map([...texts].map(([file, text]) => [file, { file, text }]));
      return errorRatePercent(scoreFolders(manifest, hypotheses)[0]!) ?? Number.NaN;
    };
    const files = new Map<string, string>();
    const finals = new Map<string, string>();
    for (const { name, samples } of clips) {
      const audio = pcm16(samples);
      files.set(name, (await clientOf(server).transcribe(wavOf(audio), { model })).result.transcript);
      const request = { model, interims: true, endpointingMs, smartFormat: true };
      finals.set(name, (await liveCaptions(server, audio, request, 'at once')).text);
    }
    const [fileRate, finalRate] = [rate(files), rate(finals)];
    const row = {
      tier: model,
      folder,
      minutes: (sum(clips.map(secondsOf)) / 60).toFixed(1),
      'file mode': fileRate.toFixed(1),
      'joined finals': finalRate.toFixed(1),
      difference: (finalRate - fileRate).toFixed(1),
    };
    console.error(JSON.stringify(row));
    rows.push(row);
  }
  return rows;
};

/** Ends of turns on one side of each telephone call: one method after the other, with some calls at once. */
const measureTurns = async (server: ServerProcess, model: ModelId): Promise<Record<string, Cell>[]> => {
  const decoding = createUploadDecoding();
  const names = (await recordingNames(asked.calls)).filter((name) => name.startsWith('hv_'));
  const sides: CallSide[] = [];
  for (const name of names) {
    const side = sideOf(await readRecording(asked.calls, name, decoding), Number(asked.seconds));
    if (side) sides.push(side);
  }
  await decoding.close();
  const measured = sides.slice(0, Number(asked.sides));
  const audioSeconds = sum(measured.map(({ samples }) => samples.length / RATE_HZ));
  const told: object[] = [];
  const rows: Record<string, Cell>[] = [];
  for (const way of TURN_WAYS.filter(({ name }) => name.includes(asked.ways))) {
    const score = newTurnScore();
    const waiting = [...measured];
    const before = await server.cost();
    const follow = async (): Promise<void> => {
      for (let side = waiting.shift(); side !== undefined; side = waiting.shift()) {
        const ends = await endsOf(server, side, model, way);
        addTurns(score, side, ends);
        told.push({ model, name: side.name, way: way.name, pauses: side.pauses, ends });
      }
    };
    await Promise.all(Array.from({ length: Number(asked['at-once']) }, follow));
    const { cpuSeconds } = costBetween(before, await server.cost());
    rows.push({ ...turnRow(way.name, score), 'CPU s/s': (cpuSeconds / audioSeconds).toFixed(3) });
  }
  if (asked.json) await writeFile(asked.json, JSON.stringify(told, null, 1));
  return rows;
};

const server = await startServer('real', {
  FAIRCOPY_MODELS: tiers.join(','),
  FAIRCOPY_MAX_STREAMS: '100',
  FAIRCOPY_MAX_UPLOADS: '100',
});
try {
  for (const model of tiers) {
    if (parts.has('latency')) {
      const rows = await measureLatency(server, model);
      console.log(`\nCaptions of ${asked.seconds} s of talk in real time, endpointing ${endpointingMs} ms\n`);
      console.log(markdownTable(rows));
    }
    if (parts.has('accuracy')) {
      const rows = await measureAccuracy(server, model);
      console.log('\nError rate in %\n');
      console.log(markdownTable(rows));
    }
    if (parts.has('turns')) {
      const rows = await measureTurns(server, model);
      console.log(`\nEnds of turns in ${asked.seconds} s of telephone calls in real time, ${model}\n`);
      console.log(markdownTable(rows));
    }
  }
} finally {
  await server.stop();
}
