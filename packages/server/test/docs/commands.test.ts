// Runs the commands of README and docs against one server. What cannot run here is listed with its reason.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { ensureAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { BIN } from '../cli/run-cli.ts';
import { field, file, form, wavOf } from '../http/forms.ts';
import { type Service, startService, success } from '../http/service.ts';
import { DIALOGUE } from '../speakers/dialogue.ts';
import { commandsOf, faircopyArguments, scriptsOf } from './document-commands.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const AT_ONCE = 3;

/** Commands in blocks that do not run here, and why. Arguments of `faircopy` are still checked. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^docker /, 'needs Docker'],
  [/^kubectl /, 'needs a cluster; npm run check:manifests renders the manifests'],
  [/^(sudo|journalctl) /, 'changes the machine'],
  [/^npm (ci|install)\b/, 'installs; npm run test:packages does it in an empty folder'],
  [/^npm run eval /, 'recognises hours of speech'],
  [/^arecord /, 'needs a microphone; test/cli/service-commands.test.ts pipes audio into listen'],
  [/faircopy (serve|worker)$/, 'runs until it is stopped; test/cli/first-minutes.test.ts starts it'],
  [/faircopy watch s3:/, 'needs a bucket; test/watch/bucket.test.ts has one'],
  [/faircopy (check|doctor)$/, 'measures this machine; test/cli has both'],
  [
    /faircopy models (pull|verify|import|remove|use)/,
    'changes or reads the whole model store; test/cli/models.test.ts',
  ],
  [/faircopy (administrators add|members reset) /, 'needs a person who has accepted; test/cli/members.test.ts'],
  [/faircopy voices |\/v1\/voices /, 'needs real voices; test/voices and test/cli/voices.test.ts enrol'],
];

/** Commands that run until they are stopped, and what they print once they have started. */
const UNTIL_STOPPED = [/faircopy watch /, /^Watching /m] as const;

/** Placeholders for numbers in commands, which the reader replaces. */
const PLACEHOLDER_NUMBERS = new Set(['N', 'ROW']);

const commands = commandsOf(ROOT);
const blocks = commands.filter(({ isBlock }) => isBlock);

/** The command with every action replaced: parsing checks names, options and values. */
const parserOf = async (name: string): Promise<Command> => {
  const program = new Command('faircopy').exitOverride().configureOutput({ writeErr: () => {} });
  const command = program.command(name).exitOverride();
  (await COMMANDS[name]!.load())(command);
  const silence = (each: Command) => {
    each.exitOverride().configureOutput({ writeErr: () => {} });
    if (each.commands.length === 0) each.action(() => {});
    for (const inner of each.commands) silence(inner);
  };
  silence(command);
  return program;
};

test('every faircopy command in the documents has names and options that exist', async () => {
  let checked = 0;
  for (const { document, command, isBlock } of commands) {
    const words = faircopyArguments(command);
    if (words === undefined || words.length === 0) continue;
    const args = words.map((word) => (PLACEHOLDER_NUMBERS.has(word) ? '1' : word));
    assert.ok(args[0]! in COMMANDS, `${document}: "${command}": there is no such command`);
    try {
      (await parserOf(args[0]!)).parse(args, { from: 'user' });
    } catch (thrown) {
      assert.ok(thrown instanceof CommanderError);
      const namesOnly = ['commander.missingArgument', 'commander.missingMandatoryOptionValue', 'commander.help'];
      assert.ok(!isBlock && namesOnly.includes(thrown.code), `${document}: "${command}": ${thrown.message}`);
    }
    checked += 1;
  }
  assert.ok(checked > 60, `${checked} commands`);
});

test('every exception is needed', () => {
  for (const [pattern] of NOT_RUN)
    assert.ok(
      blocks.some(({ command }) => pattern.test(command)),
      `no command matches ${pattern}`,
    );
});

suite('the commands of the documents run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-docs-'));
  const closers: (() => Promise<void>)[] = [];
  let service: Service;
  let environment: NodeJS.ProcessEnv;
  let replacements: readonly (readonly [RegExp | string, string])[];

  /** Provides what the documents assume: recordings, texts, an account with a key, and `faircopy` itself. */
  before(async () => {
    const dataDir = join(folder, 'data');
    service = await startService({ after: (close) => closers.push(close) }, { config: { dataDir } });
    const wav = wavOf(DIALOGUE);
    for (const name of [
      'voice-note.webm',
      'voice-note.wav',
      'call.wav',
      'talk.wav',
      'talk.mp3',
      'talk.m4a',
      'interview.ogg',
    ])
      writeFileSync(join(folder, name), wav);
    writeFileSync(join(folder, 'speech.pcm'), pcm16Bytes(DIALOGUE));
    for (const name of ['rough.txt', 'raw.txt', 'lines.txt']) writeFileSync(join(folder, name), 'um hello\nuh you\n');
    mkdirSync(join(folder, 'recordings'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'bin'));
    const run = `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`;
    writeFileSync(join(folder, 'bin', 'faircopy'), run, { mode: 0o755 });
    writeFileSync(join(folder, 'bin', 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const { account } = await ensureAccount(service.app.storage, 'acme');
    await ensureAccount(service.app.storage, 'default');
    const { listing } = await createKey(service.app.storage, { accountId: account.id, name: 'acme', createdBy: null });
    const answer = await success(await service.post(form(field('model', 'svc-1.0-lite'), file(wav))));
    environment = {
      ...process.env,
      DATABASE_URL: '',
      FAIRCOPY_DATA_DIR: dataDir,
      FAIRCOPY_URL: service.url,
      FAIRCOPY_API_KEY: service.key,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    };
    replacements = [
      [/http:\/\/(localhost|127\.0\.0\.1):8080/g, service.url],
      ['01K9ZQ5W0Q4T9Y6X2V8B3N7M1C', answer.request_id],
      ['fc_AbCd', listing.prefix],
      [/\bKEY\b/g, listing.prefix],
      [/\bNAME\b/g, 'acme'],
      [/\bcurl /g, 'curl -sS --fail-with-body '],
    ];
  });
  after(async () => {
    for (const close of closers) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const adapted = (text: string): string =>
    replacements.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  const run = (program: string, args: readonly string[]): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: environment, timeout: 120_000 };
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: `${stdout}${stderr}` });
      });
      child.stdin?.end();
      const [isLong, hasStarted] = UNTIL_STOPPED;
      if (args.some((arg) => isLong.test(arg)))
        child.stderr?.on('data', (text: string) => hasStarted.test(text) && child.kill('SIGTERM'));
    });
  /** Runs a few documents at a time; the commands of one document run in order, since they may depend on each other. */
  const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
    const waiting = [...items];
    const worker = async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };

  test('shell', async () => {
    const runnable = blocks.filter(({ command }) => !NOT_RUN.some(([pattern]) => pattern.test(command)));
    assert.ok(runnable.length > 25, `${runnable.length} commands`);
    const faults: string[] = [];
    await inTurns([...new Set(runnable.map(({ document }) => document))], async (document) => {
      for (const { command } of runnable.filter((each) => each.document === document)) {
        const { code, output } = await run('bash', ['-o', 'pipefail', '-c', adapted(command)]);
        if (code !== 0) faults.push(`${document}: "${command}" ended with ${code}: ${output}`);
      }
    });
    assert.deepEqual(faults, []);
  });

  test('JavaScript', async () => {
    const scripts = scriptsOf(ROOT);
    assert.ok(scripts.length >= 2, `${scripts.length} scripts`);
    const faults: string[] = [];
    await inTurns([...scripts.entries()], async ([index, { document, code }]) => {
      const path = join(folder, `script-${index}.mjs`);
      writeFileSync(path, adapted(code));
      const { code: exitCode, output } = await run(process.execPath, [path]);
      if (exitCode !== 0 || output.trim() === '')
        faults.push(`${document}: ${code}: ended with ${exitCode}: ${output}`);
    });
    assert.deepEqual(faults, []);
  });
});
