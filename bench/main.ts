// npm run bench: compares the service with the model baseline and with its peers, and writes a Markdown report.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_IDS, modelId } from '@faircopy/contract';
import { hasRecordings, readSentences } from './clips.ts';
import { capacity } from './sections/capacity.ts';
import { clipCost } from './sections/clip-cost.ts';
import { endurance } from './sections/endurance.ts';
import { files } from './sections/files.ts';
import { mixedLoad } from './sections/mixed-load.ts';
import { overhead } from './sections/overhead.ts';
import { peers } from './sections/peers.ts';
import type { Context, LanguageSpeech, Section } from './sections/section.ts';
import { streams } from './sections/streams.ts';
import { megabytes } from './statistics.ts';

const SECTIONS: Readonly<Record<string, Section>> = {
  files,
  streams,
  capacity,
  peers,
  overhead,
  'mixed-load': mixedLoad,
  'clip-cost': clipCost,
  endurance,
};
const HELP = `npm run bench -- [SECTION]... [options]

SECTION          ${Object.keys(SECTIONS).join(', ')} (default: all)
--tiers          svc-1.0-lite,svc-1.0-pro,svc-1.0-max
--languages      en,fr (fr represents all languages other than English; recordings of both are in ../shared/eval)
--lengths        clip lengths in seconds: 3,11,30,120,300
--clients        1,8
--rounds         requests per row, for short clips (8)
--peer-seconds   seconds of speech of each set that the peers transcribe (150)
--peer-lengths   maximum seconds of the clips into which sentences are packed for peers (11,28); 0: all clips of eval/en
--peers          only peers whose name contains one of these: whisper-base,ggml-tiny (all)
--whisper-cpp    folder with the source of whisper.cpp, which is built with cmake and measured as a peer
--requests       number of requests of the endurance run (500)
--out            report file (bench/results/DATE.md); - for none`;

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tiers: { type: 'string', default: MODEL_IDS.join(',') },
    languages: { type: 'string', default: 'en,fr' },
    lengths: { type: 'string', default: '3,11,30,120,300' },
    clients: { type: 'string', default: '1,8' },
    rounds: { type: 'string', default: '8' },
    'peer-seconds': { type: 'string', default: '150' },
    'peer-lengths': { type: 'string', default: '11,28' },
    peers: { type: 'string', default: '' },
    'whisper-cpp': { type: 'string' },
    requests: { type: 'string', default: '500' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const numbers = (list: string): number[] => list.split(',').map(Number);
const FOLDERS: Readonly<Record<string, readonly string[]>> = { en: ['en/ls_test_other'] };

const readLanguage = async (language: string, seconds: number): Promise<LanguageSpeech> => ({
  language,
  sentences: await readSentences(FOLDERS[language] ?? [`multi/${language}`], seconds),
});

const machine = (): string => {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const model = cpus()[0]?.model || process.arch;
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} × ${model}, ${megabytes(totalmem())} MB, Node ${process.version}, commit ${commit}, load at the start ${load}`;
};

const chosen = (): readonly Section[] =>
  (positionals.length > 0 ? positionals : Object.keys(SECTIONS)).map((name) => {
    const section = SECTIONS[name];
    if (!section) throw new Error(`There is no section ${name}.\n\n${HELP}`);
    return section;
  });

const contextOf = async (): Promise<Context> => {
  const lengths = numbers(asked.lengths);
  const languages: LanguageSpeech[] = [];
  for (const language of hasRecordings ? asked.languages.split(',') : ['en']) {
    languages.push(await readLanguage(language, Math.max(30, ...lengths)));
  }
  return {
    tiers: asked.tiers.split(',').map((id) => modelId.parse(id)),
    languages,
    lengths,
    clients: numbers(asked.clients),
    rounds: Number(asked.rounds),
    peerSeconds: Number(asked['peer-seconds']),
    peerLengths: numbers(asked['peer-lengths']),
    peers: asked.peers.split(','),
    whisperSource: asked['whisper-cpp'] ?? null,
    requests: Number(asked.requests),
    log: (text) => console.error(text),
  };
};

const reportPath = async (startedAt: Date): Promise<string> => {
  const folder = fileURLToPath(new URL('../results', import.meta.url));
  await mkdir(folder, { recursive: true });
  return join(folder, `${startedAt.toISOString().slice(0, 16).replaceAll(':', '')}.md`);
};

const main = async (): Promise<void> => {
  if (asked.help) return console.log(HELP);
  const sections = chosen();
  const startedAt = new Date();
  const parts = [
    `# Benchmark of ${startedAt.toISOString().slice(0, 10)}`,
    `${machine()}.`,
    `\`npm run bench -- ${process.argv.slice(2).join(' ')}\``,
    hasRecordings
      ? 'English is LibriSpeech test-other; other languages are from Common Voice and similar sets.'
      : 'No recordings were found beside the repository: everything was measured on one English clip of 11 s, repeated.',
  ];
  const path = asked.out ?? (await reportPath(startedAt));
  const context = await contextOf();
  for (const [nth, section] of sections.entries()) {
    console.error(`\n[${nth + 1} of ${sections.length}] ${section.title}`);
    parts.push(`## ${section.title}`, section.about, await section.run(context));
    // Written after every section, so that an interrupted run keeps what it measured.
    if (path !== '-') await writeFile(path, `${parts.join('\n\n')}\n`);
  }
  console.log(parts.join('\n\n'));
  if (path !== '-') console.error(`\nThe report is in ${path}`);
};

await main();
