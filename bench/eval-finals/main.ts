// npm run eval:finals: compares the joined finals of a stream that is cut at short pauses with the file's transcript.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { modelId } from '@faircopy/contract';
import { readSentences } from '../clips.ts';
import { errorRatePercent, type Hypothesis, scoreFolders } from '../eval/score.ts';
import { TimedPipeline } from '../eval-times/transcribe.ts';
import { markdownTable } from '../markdown-table.ts';
import { compareBreaks } from './sentence-breaks.ts';

const HELP = `npm run eval:finals -- [--model MODEL]... [--folder FOLDER]... [--endpointing MS] [--every N] [--show] [--json FILE]

--model        default: svc-1.0-lite and svc-1.0-pro
--folder       folder of ../shared/eval (default: read speech and telephone calls)
--endpointing  milliseconds of silence that end an utterance (default 300)
--every        only every Nth recording of each folder
--show         also list the places that differ
--json         also write the texts and timed words to this file`;

const { values } = parseArgs({
  options: {
    model: { type: 'string', multiple: true, default: ['svc-1.0-lite', 'svc-1.0-pro'] },
    folder: {
      type: 'string',
      multiple: true,
      default: ['en/ls_test_other', 'en/ls_clean', 'en/vctk', 'en/phone_seg', 'en/phone_call'],
    },
    endpointing: { type: 'string', default: '300' },
    every: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const percent = (value: number | null | undefined): string => (value == null ? '–' : value.toFixed(1));

const main = async (): Promise<void> => {
  if (values.help) return console.log(HELP);
  const models = values.model.map((id) => modelId.parse(id));
  const live = { endpointingMs: Number(values.endpointing), wantInterims: false };
  const pipeline = await TimedPipeline.open(models);
  const rows: Record<string, string | number>[] = [];
  const written: object[] = [];
  for (const folder of values.folder) {
    const clips = (await readSentences([folder], Number.POSITIVE_INFINITY)).filter(
      (_, index) => index % Number(values.every) === 0,
    );
    const manifest = clips.map(({ name, language, text }) => ({ file: name, language, text }));
    for (const model of models) {
      const sum = { finals: 0, words: 0, inFile: 0, inFinals: 0, added: 0, missed: 0, capitals: 0 };
      const texts = { file: new Map<string, Hypothesis>(), live: new Map<string, Hypothesis>() };
      for (const { name, samples } of clips) {
        const file = await pipeline.words(name, samples, model, null);
        const stream = await pipeline.words(name, samples, model, live);
        texts.file.set(name, { file: name, text: file.texts.join(' ') });
        texts.live.set(name, { file: name, text: stream.texts.join(' ') });
        const found = compareBreaks(file.refined, stream.refined);
        sum.finals += stream.texts.length;
        sum.words += found.compared;
        sum.inFile += found.inFile;
        sum.inFinals += found.inFinals;
        for (const kind of ['added', 'missed', 'capitals'] as const) {
          sum[kind] += found[kind].length;
          if (values.show) for (const place of found[kind]) console.log(`${model} ${name} ${kind}: ${place}`);
        }
        written.push({ name, model, file, finals: stream });
      }
      const errorRate = (of: ReadonlyMap<string, Hypothesis>) =>
        percent(errorRatePercent(scoreFolders(manifest, of)[0]!));
      rows.push({
        tier: model,
        speech: folder,
        recordings: clips.length,
        finals: sum.finals,
        words: sum.words,
        'breaks, file': sum.inFile,
        'breaks, finals': sum.inFinals,
        'wrong breaks': `${sum.added} (${share(sum.added, sum.inFinals)})`,
        'missed breaks': `${sum.missed} (${share(sum.missed, sum.inFile)})`,
        'wrong capitals': sum.capitals,
        'WER file': errorRate(texts.file),
        'WER finals': errorRate(texts.live),
      });
      process.stderr.write(`${folder} ${model}\n`);
    }
  }
  await pipeline.close();
  console.log(markdownTable(rows));
  if (values.json) await writeFile(values.json, JSON.stringify(written, null, 1));
};

await main();
