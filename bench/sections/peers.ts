// The service beside what people use instead: same clips, same cores, one after the other in one run.
import { postClips } from '../clients.ts';
import { type Clip, packedClips, readSentences, secondsOf } from '../clips.ts';
import { errorRatePercent, scoreFolders } from '../eval/score.ts';
import { megabytes, percentile, ratio, sum } from '../figures.ts';
import { installPeers, PEERS, type Peer, type PeerAnswer } from '../peer-processes.ts';
import { startServer } from '../server-child.ts';
import { type Cell, markdownTable } from '../table.ts';
import { type Context, PATIENT, type Section } from './context.ts';

const CLIENTS = 8;
const ENGLISH = ['en/ls_test_other', 'en/phone_seg', 'en/vctk'];
const OTHERS = ['multi/de', 'multi/es', 'multi/fr', 'multi/nl'];

interface Heard {
  readonly who: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly answerMs: readonly number[];
  readonly rssBytes: number;
  readonly transcripts: ReadonlyMap<string, string>;
}

const errorPercent = (clips: readonly Clip[], transcripts: ReadonlyMap<string, string>): string => {
  const manifest = clips.map(({ name, text, language }) => ({ file: name, text, language, score: true }));
  const hypotheses = new Map([...transcripts].map(([file, text]) => [file, { file, text }]));
  // Names of clips begin with the set, which is then the folder that is scored: one row for all.
  return scoreFolders(manifest, hypotheses)
    .map((score) => errorRatePercent(score)?.toFixed(1) ?? '–')
    .join(', ');
};

const hearPeer = async (peer: Peer, clips: readonly Clip[]): Promise<Heard> => {
  const child = await peer.start();
  try {
    // The first call also loads and warms up.
    await child.ask(clips[0]!);
    const answers: PeerAnswer[] = [];
    for (const { samples, language } of clips) answers.push(await child.ask({ samples, language }));
    return {
      who: peer.name,
      wallSeconds: sum(answers.map(({ wallMs }) => wallMs)) / 1000,
      cpuSeconds: sum(answers.map(({ cpuMs }) => cpuMs)) / 1000,
      answerMs: answers.map(({ wallMs }) => wallMs),
      rssBytes: Math.max(...answers.map(({ rssBytes }) => rssBytes)),
      transcripts: new Map(answers.map(({ text }, nth) => [clips[nth]!.name, text])),
    };
  } finally {
    await child.stop();
  }
};

const hearService = async (context: Context, clips: readonly Clip[]): Promise<Heard[]> => {
  const heard: Heard[] = [];
  for (const tier of context.tiers) {
    const server = await startServer('real', { ...PATIENT, FAIRCOPY_MODELS: tier });
    try {
      await postClips(server, tier, clips.slice(0, 1), 1);
      const { wallSeconds, answerMs, transcripts, cost, failures } = await postClips(server, tier, clips, CLIENTS);
      if (failures.length > 0) process.exitCode = 1;
      const { cpuSeconds, rssBytes } = cost;
      heard.push({
        who: `${tier}, HTTP, ${CLIENTS} clients`,
        wallSeconds,
        cpuSeconds,
        answerMs,
        rssBytes,
        transcripts,
      });
    } finally {
      await server.stop();
    }
  }
  return heard;
};

const table = (clips: readonly Clip[], heard: readonly Heard[]): string => {
  const audioSeconds = sum(clips.map(secondsOf));
  const cpuOf = (part: string) => heard.find(({ who }) => who.includes(part))?.cpuSeconds;
  const rows = heard.map(
    ({ who, wallSeconds, cpuSeconds, answerMs, rssBytes, transcripts }): Record<string, Cell> => ({
      who,
      'CPU s/s': (cpuSeconds / audioSeconds).toFixed(3),
      'wall s/s': (wallSeconds / audioSeconds).toFixed(3),
      'p50 ms': Math.round(percentile(answerMs, 0.5)),
      'p95 ms': Math.round(percentile(answerMs, 0.95)),
      'CPU ÷ transformers.js base': ratio(cpuSeconds, cpuOf('js, whisper-base')),
      '÷ transformers.js small': ratio(cpuSeconds, cpuOf('js, whisper-small')),
      '÷ whisper.cpp tiny': ratio(cpuSeconds, cpuOf('ggml-tiny')),
      '÷ whisper.cpp base.en': ratio(cpuSeconds, cpuOf('ggml-base.en')),
      'WER %': errorPercent(clips, transcripts),
      'RSS MB': megabytes(rssBytes),
    }),
  );
  return markdownTable(rows);
};

export const peers: Section = {
  title: 'Beside the peers',
  about:
    `The same clips, whole sentences packed up to the length named. The service is asked over HTTP by ${CLIENTS} clients ` +
    'at once and must find the language; the peers run one clip after the other in a process of their own, with all ' +
    'cores and their default settings, and are told the language. WER over all clips of the set, on the refined text.',
  async run(context) {
    context.say('peers: installing');
    await installPeers();
    const parts: string[] = [];
    const asked = PEERS.filter(({ name }) => context.peers.some((part) => name.includes(part)));
    const sets = context.peerLengths.map((seconds) => ({ name: 'English', folders: ENGLISH, seconds }));
    if (context.languages.some(({ language }) => language !== 'en')) {
      sets.push({ name: 'de, es, fr, nl', folders: OTHERS, seconds: Math.max(...context.peerLengths) });
    }
    for (const { name, folders, seconds } of sets) {
      const sentences = await readSentences(folders, context.peerSeconds / folders.length);
      const clips = packedClips(sentences, seconds);
      const isEnglish = folders === ENGLISH;
      const heard = await hearService(context, clips);
      for (const peer of asked.filter(({ speaks }) => isEnglish || speaks === 'any language')) {
        context.say(`peers: ${name}: ${peer.name}`);
        heard.push(await hearPeer(peer, clips));
        context.say(table(clips, heard.slice(-1)));
      }
      const about = `${clips.length} clips of at most ${seconds} s, ${sum(clips.map(secondsOf)).toFixed(0)} s in all`;
      parts.push(`### ${name} (${about})\n\n${table(clips, heard)}`);
      context.say(parts.at(-1)!);
    }
    return parts.join('\n\n');
  },
};
