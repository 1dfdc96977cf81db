// Compares the service with its peers: the same clips on the same cores, in one run.
import { postClips } from '../clients.ts';
import { type Clip, packedClips, readSentences, readSet, secondsOf } from '../clips.ts';
import { errorRatePercent, scoreFolders } from '../eval/score.ts';
import { type Cell, markdownTable } from '../markdown-table.ts';
import type { Peer, PeerResult } from '../peer.ts';
import { installPeers, nativeWhisper, PEERS } from '../peer-processes.ts';
import { startServer } from '../server-process.ts';
import { megabytes, percentile, ratio, sum } from '../statistics.ts';
import { type Context, NO_TIMEOUTS, type Section } from './section.ts';

const CLIENTS = 4;
/** With this peer length, clips are used as recorded. */
const AS_RECORDED = 0;
const ENGLISH = ['en/ls_test_other', 'en/phone_seg', 'en/vctk'];
const OTHERS = ['multi/de', 'multi/es', 'multi/fr', 'multi/nl'];

interface Measured {
  readonly system: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly latencyMs: readonly number[];
  readonly rssBytes: number;
  readonly transcripts: ReadonlyMap<string, string>;
}

const errorPercent = (clips: readonly Clip[], transcripts: ReadonlyMap<string, string>): string => {
  const manifest = clips.map(({ name, text, language }) => ({ file: name, text, language, score: true }));
  const hypotheses = new Map([...transcripts].map(([file, text]) => [file, { file, text }]));
  // Clip names begin with the set, so the set counts as one folder and gets one score.
  return scoreFolders(manifest, hypotheses)
    .map((score) => errorRatePercent(score)?.toFixed(1) ?? '–')
    .join(', ');
};

const measurePeer = async (peer: Peer, clips: readonly Clip[]): Promise<Measured> => {
  const child = await peer.start();
  try {
    // A warm-up request, which also loads the model.
    await child.request(clips[0]!);
    const results: PeerResult[] = [];
    for (const { samples, language } of clips) results.push(await child.request({ samples, language }));
    return {
      system: peer.name,
      wallSeconds: sum(results.map(({ wallMs }) => wallMs)) / 1000,
      cpuSeconds: sum(results.map(({ cpuMs }) => cpuMs)) / 1000,
      latencyMs: results.map(({ wallMs }) => wallMs),
      rssBytes: Math.max(...results.map(({ rssBytes }) => rssBytes)),
      transcripts: new Map(results.map(({ text }, nth) => [clips[nth]!.name, text])),
    };
  } finally {
    await child.stop();
  }
};

const measureService = async (context: Context, clips: readonly Clip[]): Promise<Measured[]> => {
  const measured: Measured[] = [];
  for (const tier of context.tiers) {
    const server = await startServer('real', { ...NO_TIMEOUTS, FAIRCOPY_MODELS: tier });
    try {
      await postClips(server, tier, clips.slice(0, 1), 1);
      const { wallSeconds, latencyMs, transcripts, cost, failures } = await postClips(server, tier, clips, CLIENTS);
      if (failures.length > 0) process.exitCode = 1;
      const { cpuSeconds, rssBytes } = cost;
      measured.push({
        system: `${tier}, HTTP, ${CLIENTS} clients`,
        wallSeconds,
        cpuSeconds,
        latencyMs,
        rssBytes,
        transcripts,
      });
    } finally {
      await server.stop();
    }
  }
  return measured;
};

const table = (clips: readonly Clip[], measured: readonly Measured[]): string => {
  const audioSeconds = sum(clips.map(secondsOf));
  const cpuOf = (part: string) => measured.find(({ system }) => system.includes(part))?.cpuSeconds;
  const rows = measured.map(
    ({ system, wallSeconds, cpuSeconds, latencyMs, rssBytes, transcripts }): Record<string, Cell> => ({
      system,
      'CPU s/s': (cpuSeconds / audioSeconds).toFixed(3),
      'wall s/s': (wallSeconds / audioSeconds).toFixed(3),
      'p50 ms': Math.round(percentile(latencyMs, 0.5)),
      'p95 ms': Math.round(percentile(latencyMs, 0.95)),
      'CPU ÷ transformers.js base': ratio(cpuSeconds, cpuOf('js, whisper-base')),
      '÷ transformers.js small': ratio(cpuSeconds, cpuOf('js, whisper-small')),
      '÷ whisper.cpp tiny': ratio(cpuSeconds, cpuOf('ggml-tiny')),
      '÷ whisper.cpp base.en': ratio(cpuSeconds, cpuOf('ggml-base.en')),
      '÷ native': ratio(cpuSeconds, cpuOf('native')),
      'WER %': errorPercent(clips, transcripts),
      'RSS MB': megabytes(rssBytes),
    }),
  );
  return markdownTable(rows);
};

interface ClipSet {
  readonly name: string;
  readonly isEnglish: boolean;
  readonly clips: readonly Clip[];
}

const readSets = async ({ peerLengths, peerSeconds, languages }: Context): Promise<readonly ClipSet[]> => {
  const packed = async (folders: readonly string[], seconds: number) =>
    packedClips(await readSentences(folders, peerSeconds / folders.length), seconds);
  const sets: ClipSet[] = [];
  for (const seconds of peerLengths) {
    const clips = seconds === AS_RECORDED ? await readSet('en') : await packed(ENGLISH, seconds);
    sets.push({ name: seconds === AS_RECORDED ? 'All of eval/en' : `English, ≤ ${seconds} s`, isEnglish: true, clips });
  }
  if (languages.some(({ language }) => language !== 'en')) {
    const seconds = Math.max(...peerLengths);
    sets.push({ name: `de, es, fr, nl, ≤ ${seconds} s`, isEnglish: false, clips: await packed(OTHERS, seconds) });
  }
  return sets;
};

export const peers: Section = {
  title: 'Against the peers',
  about:
    `The same clips: whole sentences packed up to the given length. ${CLIENTS} concurrent clients send them to the service ` +
    'over HTTP, which must detect the language. Each peer runs in a separate process, one clip after the other, with all ' +
    'cores and default settings, and is given the language. WER covers all clips of the set and uses refined text.',
  async run(context) {
    context.log('peers: installing');
    await installPeers();
    const parts: string[] = [];
    const asked = PEERS.filter(({ name }) => context.peers.some((part) => name.includes(part)));
    if (context.whisperSource !== null) asked.push(nativeWhisper(context.whisperSource));
    for (const { name, isEnglish, clips } of await readSets(context)) {
      const measured = await measureService(context, clips);
      for (const peer of asked.filter(({ languages }) => isEnglish || languages === 'any')) {
        context.log(`peers: ${name}: ${peer.name}`);
        measured.push(await measurePeer(peer, clips));
        context.log(table(clips, measured.slice(-1)));
      }
      const about = `${clips.length} clips, ${sum(clips.map(secondsOf)).toFixed(0)} s in all`;
      parts.push(`### ${name} (${about})\n\n${table(clips, measured)}`);
      context.log(parts.at(-1)!);
    }
    return parts.join('\n\n');
  },
};
