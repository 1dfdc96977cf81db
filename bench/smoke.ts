// npm run bench:smoke [-- --all]: every benchmark once, as small as it can be, to see that it still works. Figures mean
// nothing here. Those that start one server after the other run with --all only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hasRecordings } from './clips.ts';
import { arePeersInstalled } from './peer-processes.ts';

// Against one that hangs: on a machine with busy neighbours the longest has taken five.
const MINUTES_MAX = 12;
const SMALL = ['--tiers', 'svc-1.0-lite', '--lengths', '3', '--clients', '2', '--rounds', '1', '--out', '-'];

const PEERS = 'peers --peers whisper-base,ggml-tiny --languages en --peer-lengths 11 --peer-seconds 3'.split(' ');

interface Smoke {
  readonly name: string;
  readonly args: readonly string[];
  /** Why it cannot be run here. */
  readonly skip?: string | false;
}

const tooLong = !process.argv.includes('--all') && 'takes minutes: npm run bench:smoke -- --all';

/** The longest first, so that none of them is waited for alone. */
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
    skip: !hasRecordings && 'there are no recordings beside the repository (../shared/eval)',
  },
];

/** Resolves to what went wrong, or null. A benchmark that prints no table measured nothing. */
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
  if (code !== 0) return `${complaint}${out}\nended with ${signal ?? code}`;
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

/** Two at a time: most of them wait more than they compute, and their figures mean nothing. */
const waiting = [...SMOKES];
const tellNext = async (): Promise<void> => {
  for (let smoke = waiting.shift(); smoke; smoke = waiting.shift()) await tell(smoke);
};
await Promise.all([tellNext(), tellNext()]);
if (failed.length > 0) process.exitCode = 1;
else console.error('every benchmark that was run works');
