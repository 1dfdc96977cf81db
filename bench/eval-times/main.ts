// npm run eval:times -- [DIR]: errors of recognised word times against the reference, per tier, for files and streams.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_IDS, modelId } from '@faircopy/contract';
import { createUploadDecoding } from '@faircopy/server/audio';
import { readRecording, recordingNames } from '../eval-speakers/recordings.ts';
import { markdownTable } from '../markdown-table.ts';
import { percentile } from '../statistics.ts';
import { matchWords, type TimedWord } from './match-words.ts';
import { silencesOf, wordsInSilence } from './silences.ts';
import { syntheticRecordings } from './synthetic.ts';
import { type Live, TimedPipeline } from './transcribe.ts';

const HELP = `npm run eval:times -- [DIR] [--model MODEL]... [--way file|live|interims]... [--only TEXT] [--every N] [--synthetic] [--json FILE]

DIR      folder with NAME.flac, NAME.rttm and NAME.words.jsonl (default ../shared/speakers/dev)
--model  svc-1.0-lite, svc-1.0-pro or svc-1.0-max; may be given several times (default: all three)
--way    file: one transcript. live: the finals of a stream. interims: the finals of a stream with interims
         (default: file and live)
--only   only recordings whose name contains this text
--every  only every Nth recording
--synthetic  also words spoken by espeak-ng at known times
--json   also write every recognised word to this file`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', multiple: true },
    way: { type: 'string', multiple: true },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    synthetic: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const ENDPOINTING_MS = 600;
const WAYS: Readonly<Record<string, Live | null>> = {
  file: null,
  live: { endpointingMs: ENDPOINTING_MS, wantInterims: false },
  interims: { endpointingMs: ENDPOINTING_MS, wantInterims: true },
};

interface Score {
  words: number;
  readonly startErrorsMs: number[];
  readonly endErrorsMs: number[];
  silent: number;
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const near = (errors: readonly number[], ms: number): string =>
  share(errors.filter((error) => error <= ms).length, errors.length);

const rowOf = (name: Record<string, string>, { words, startErrorsMs, endErrorsMs, silent }: Score) => ({
  ...name,
  words,
  paired: startErrorsMs.length,
  'start median ms': Math.round(percentile(startErrorsMs, 0.5)),
  'p95 ms': Math.round(percentile(startErrorsMs, 0.95)),
  'within 250 ms': near(startErrorsMs, 250),
  'end median ms': Math.round(percentile(endErrorsMs, 0.5)),
  'end p95 ms': Math.round(percentile(endErrorsMs, 0.95)),
  'in silence': share(silent, words),
});

const main = async (): Promise<void> => {
  if (values.help) return console.log(HELP);
  const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../../../../shared/speakers/dev', import.meta.url)));
  const models = (values.model ?? [...MODEL_IDS]).map((id) => modelId.parse(id));
  const ways = values.way ?? ['file', 'live'];
  const unknown = ways.find((way) => WAYS[way] === undefined);
  if (unknown) throw new Error(`There is no way ${unknown}. Known: ${Object.keys(WAYS).join(', ')}.`);
  const decoding = createUploadDecoding();
  const names = (await recordingNames(folder)).filter((name) => name.includes(values.only));
  const recordings = [];
  for (const name of names.filter((_, index) => index % Number(values.every) === 0)) {
    const recording = await readRecording(folder, name, decoding);
    if (recording.words.length > 0) recordings.push(recording);
  }
  if (values.synthetic) recordings.push(...(await syntheticRecordings(decoding)));
  await decoding.close();
  const pipeline = await TimedPipeline.open(models);
  const scores = new Map<string, { name: Record<string, string>; score: Score }>();
  const dumped: object[] = [];
  for (const { name, part, samples, words } of recordings) {
    const probabilities = await pipeline.voice(samples);
    const silences = silencesOf(probabilities);
    const reference: TimedWord[] = words
      .map(({ start, end, word = '' }) => ({
        text: word.replaceAll('&#39;', "'"),
        startMs: start * 1000,
        endMs: end * 1000,
      }))
      .sort((a, b) => a.startMs - b.startMs);
    for (const model of models) {
      for (const way of ways) {
        const found = await pipeline.words(name, samples, model, WAYS[way]!);
        dumped.push({ name, model, way, ...found, reference, probabilities });
        for (const text of ['raw', 'refined'] as const) {
          const row = { tier: model, way, text, part };
          const key = Object.values(row).join();
          const score: Score = scores.get(key)?.score ?? { words: 0, startErrorsMs: [], endErrorsMs: [], silent: 0 };
          scores.set(key, { name: row, score });
          score.words += found[text].length;
          score.silent += wordsInSilence(found[text], silences);
          for (const [said, recognised] of matchWords(reference, found[text])) {
            score.startErrorsMs.push(Math.abs(said.startMs - recognised.startMs));
            score.endErrorsMs.push(Math.abs(said.endMs - recognised.endMs));
          }
        }
      }
    }
    process.stderr.write(`${name}\n`);
  }
  await pipeline.close();
  console.log(markdownTable([...scores.values()].map(({ name, score }) => rowOf(name, score))));
  if (values.json) await writeFile(values.json, JSON.stringify(dumped));
};

await main();
