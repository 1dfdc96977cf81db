// npm run eval:speakers -- DIR: scores diarization on recordings with reference turns, as Markdown tables.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createUploadDecoding } from '@faircopy/server/audio';
import {
  CHEAP,
  type Diarization,
  diarize,
  openSpeakerModels,
  type SpeakerAnalysis,
  speakersOfWords,
} from '@faircopy/server/speakers';
import { markdownTable } from '../markdown-table.ts';
import { analyseRecording } from './analyse.ts';
import { joined } from './joined.ts';
import { knownVoiceRow, knownVoiceTrials } from './known-voices.ts';
import { type LiveTurns, liveTurns } from './live.ts';
import { type Recording, readRecording, recordingNames } from './recordings.ts';
import { diarizationErrors, wordsRight } from './score.ts';
import { type RecordingScore, totalRow } from './totals.ts';

const HELP = `npm run eval:speakers -- [DIR] [--only TEXT] [--cheap] [--live] [--hours N] [--by-voice] [--voices] [--files]

DIR         folder with NAME.rttm, NAME.flac (or .ogg, .wav) and NAME.words.jsonl (default ../shared/speakers/dev)
--only      only recordings whose name contains this text
--cheap     the cheap form: fewer windows, one length of stretch
--live      also as a live stream: labels as first shown, and after changes
--hours N   also the recordings of each part joined into one meeting of N hours
--by-voice  without the segmentation model: only voice activity and windows
--voices    known voices: each speaker is enrolled from one recording and searched for in the others
--files     also one row per recording`;

const COLLAR_SECONDS = 0.25;

const score = (
  recording: Pick<Recording, 'turns' | 'words'>,
  { turns }: Pick<Diarization, 'turns'>,
): RecordingScore => {
  const hypothesis = turns.map(({ startSeconds, endSeconds, speaker }) => ({
    start: startSeconds,
    end: endSeconds,
    speaker: String(speaker),
  }));
  const words = recording.words.map(({ start, end }) => ({ startSeconds: start, endSeconds: end }));
  return {
    errors: diarizationErrors(recording.turns, hypothesis, 0),
    errorsWithCollar: diarizationErrors(recording.turns, hypothesis, COLLAR_SECONDS),
    words: words.length,
    wordsRight: wordsRight(recording.words, speakersOfWords(words, turns)),
    speakers: speakerCount(recording),
    speakersFound: new Set(turns.map(({ speaker }) => speaker)).size,
  };
};

const speakerCount = ({ turns }: Pick<Recording, 'turns'>): number => new Set(turns.map(({ speaker }) => speaker)).size;

const table = (title: string, recordings: readonly Recording[], scores: readonly RecordingScore[], files: boolean) => {
  const parts = [...new Set(recordings.map(({ part }) => part))];
  const rows = parts.map((part) =>
    totalRow(
      part,
      scores.filter((_, index) => recordings[index]!.part === part),
    ),
  );
  const each = files ? recordings.map(({ name }, index) => totalRow(name, [scores[index]!])) : [];
  console.log(`### ${title}\n\n${markdownTable([...each, ...rows, totalRow('all', scores)])}\n`);
};

const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      cheap: { type: 'boolean', default: false },
      'by-voice': { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      hours: { type: 'string', default: '0' },
      voices: { type: 'boolean', default: false },
      files: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../../../../shared/speakers/dev', import.meta.url)));
  const names = (await recordingNames(folder)).filter((name) => name.includes(values.only));
  const models = await openSpeakerModels({ withSegmentation: !values['by-voice'] });
  const decoding = createUploadDecoding();
  const recordings: Recording[] = [];
  const analyses: SpeakerAnalysis[] = [];
  let [audioSeconds, featureSeconds, clusterSeconds] = [0, 0, 0];
  for (const name of names) {
    const recording = await readRecording(folder, name, decoding);
    const before = process.cpuUsage();
    analyses.push(await analyseRecording(recording.samples, models, values.cheap ? CHEAP : {}));
    featureSeconds += cpuSeconds(before);
    audioSeconds += recording.samples.length / 16_000;
    recordings.push(recording);
    process.stderr.write(`\r${recordings.length}/${names.length}`);
  }
  process.stderr.write('\n');
  const results = recordings.map((recording, index) => {
    const before = process.cpuUsage();
    const found = diarize(analyses[index]!);
    clusterSeconds += cpuSeconds(before);
    return score(recording, found);
  });
  table('Count unknown', recordings, results, values.files);
  const given = recordings.map((recording, index) =>
    score(recording, diarize(analyses[index]!, { count: speakerCount(recording) })),
  );
  table('Count given', recordings, given, values.files);
  const perSecond = (seconds: number): string => (seconds / audioSeconds).toFixed(4);
  console.log(
    `CPU per audio second: ${perSecond(featureSeconds)} s for features, ${perSecond(clusterSeconds)} s for clustering.`,
  );
  if (Number(values.hours) > 0) {
    const rows = [...new Set(recordings.map(({ part }) => part))].map((part) => {
      const own = recordings.flatMap((recording, index) =>
        recording.part === part ? [{ analysis: analyses[index]!, turns: recording.turns }] : [],
      );
      const { analysis, turns } = joined(own, Number(values.hours));
      return totalRow(part, [score({ turns, words: [] }, diarize(analysis))]);
    });
    console.log(`### Joined to ${values.hours} hours\n\n${markdownTable(rows)}\n`);
  }
  if (values.live) {
    const before = process.cpuUsage();
    const streams: LiveTurns[] = [];
    for (const { samples } of recordings) streams.push(await liveTurns(samples, models));
    const live = perSecond(cpuSeconds(before));
    for (const [title, pick] of [
      ['Live, first label', ({ first }: LiveTurns) => first],
      ['Live, after changes', ({ last }: LiveTurns) => last],
    ] as const) {
      const scores = recordings.map((recording, index) => score(recording, { turns: pick(streams[index]!) }));
      table(title, recordings, scores, values.files);
    }
    console.log(`CPU per audio second, live: ${live} s, voice activity included.`);
  }
  if (values.voices) {
    const trials = await knownVoiceTrials(recordings, analyses, models);
    const rows = [...new Set(trials.map(({ part }) => part))].map((part) =>
      knownVoiceRow(
        part,
        trials.filter((trial) => trial.part === part),
      ),
    );
    console.log(`### Known voices\n\n${markdownTable(rows)}\n`);
  }
  await models.close();
  await decoding.close();
};

await main();
