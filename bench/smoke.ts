// npm run bench:smoke [-- --all]: runs every benchmark once, as small as possible, to check that it still works.
// The figures are meaningless. Benchmarks that start several servers in sequence run only with --all.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hasRecordings } from './clips.ts';
import { arePeersInstalled } from './peer-processes.ts';

// Stops a benchmark that hangs. On a busy machine the slowest one has taken 5 minutes.
const MINUTES_MAX = 12;
const SMALL = ['--tiers', 'svc-1.0-lite', '--lengths', '3', '--clients', '2', '--rounds', '1', '--out', '-'];

const PEERS = 'peers --peers whisper-base,ggml-tiny --languages en --peer-lengths 11 --peer-seconds 3'.split(' ');

interface Smoke {
  readonly name: string;
  readonly args: readonly string[];
  /** Why it cannot run here. */
  readonly skip?: string | false;
}

const tooLong = !process.argv.includes('--all') && 'takes minutes: npm run bench:smoke -- --all';

/** Sorted from longest to shortest, so that a long one does not run last and alone. */
const SMOKES: readonly Smoke[] = [
  { name: 'main', args: ['files', 'streams', 'overhead', ...SMALL] },
  { name: 'main', args: ['mixed-load', 'endurance', '--requests', '4', ...SMALL] },
  { name: 'main', args: ['capacity', '--languages', 'en', ...SMALL], skip: tooLong },
  {
    name: 'main',
    args: [...PEERS, ...SMALL],
    skip: !arePeersInstalled() && 'the peers are not installed: npm run bench -- peers installs them',
  },
  { name: 'stream', args: ['--smoke'] },
  { name: 'refine', args: ['--smoke'] },
  { name: 'fairness', args: ['svc-1.0-lite', '--smoke'] },
  { name: 'decode', args: ['--smoke'] },
  { name: 'long', args: ['--smoke'] },
  {
    name: 'eval/main',
    args: ['--model', 'svc-1.0-lite', '--only', 'ljspeech'],
    skip: !hasRecordings && 'no recordings were found beside the repository (../shared/eval)',
  },
];

/** Resolves to a description of the failure, or null. A benchmark that prints no table has measured nothing. */
const run = async ({ name, args }: Smoke): Promise<string | null> => {
  const script = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], { timeout: MINUTES_MAX * 60_000 });
  let out = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) return `${complaint}${out}\nexited with ${signal ?? code}`;
  const rows = out.split('\n').filter((line) => line.startsWith('|'));
  if (rows.length < 3) return `${complaint}${out}\nprinted no table`;
  return rows.some((row) => row.includes('NaN')) ? `${out}\nsome figures are missing` : null;
};

const failed: string[] = [];
const tell = async (smoke: Smoke): Promise<void> => {
  const title = `${smoke.name} ${smoke.args.join(' ')}`.trim();
  if (smoke.skip) {
    console.error(`skipped  ${title}: ${smoke.skip}`);
    return;
  }
  const startedMs = performance.now();
  const fault = await run(smoke);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.error(`${fault === null ? 'works   ' : 'BROKEN  '} ${title} (${seconds} s)`);
  if (fault !== null) {
    console.error(fault);
    failed.push(title);
  }
};

/** Two at a time: most benchmarks wait more than they compute, and the figures do not matter here. */
const waiting = [...SMOKES];
const tellNext = async (): Promise<void> => {
  for (let smoke = waiting.shift(); smoke; smoke = waiting.shift()) await tell(smoke);
};
await Promise.all([tellNext(), tellNext()]);
if (failed.length > 0) process.exitCode = 1;
else console.error('all benchmarks that ran work');
