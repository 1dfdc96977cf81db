// Runs the programs in examples/ as their first lines say. test/browser runs the captions page, test/jobs webhooks.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { openStorage } from '../../src/storage/open.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { wavOf } from '../http/forms.ts';
import { keyFor, type Service, startService } from '../http/service.ts';
import { DIALOGUE } from '../speakers/dialogue.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const SPEECH = joined(quiet(0.3), spoken(story(4)), quiet(1.5));
const SAID = story(4).join(' ');

suite('examples', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-examples-'));
  const closers: (() => Promise<void>)[] = [];
  let service: Service;

  before(async () => {
    const dataDir = join(folder, 'data');
    const storage = await openStorage({ dataDir });
    const { key: wyomingKey } = await keyFor(storage, 'home');
    await storage.close();
    const config = { dataDir, wyomingAddress: { host: '127.0.0.1', port: 0 }, wyomingKey };
    service = await startService({ after: (close) => closers.push(close) }, { config });
  });
  after(async () => {
    for (const close of closers) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (...args: string[]): ChildProcess & { stdin: NonNullable<ChildProcess['stdin']> } => {
    const env = { ...process.env, FAIRCOPY_URL: service.url, FAIRCOPY_API_KEY: service.key };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'inherit'] });
    return child as ReturnType<typeof start>;
  };
  const outputOf = async (child: ChildProcess): Promise<string> => {
    const [output, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
    assert.equal(code, 0);
    return output;
  };

  test('voice agent: answers when a turn has ended', async () => {
    const agent = start('examples/voice-agent.mjs');
    agent.stdin.end(pcm16Bytes(SPEECH));
    const output = await outputOf(agent);
    assert.deepEqual(output.trim().split('\n'), ['listening', `user: ${SAID}`, `agent: You said: ${SAID}`]);
  });

  test('meeting to subtitles: cues, and speakers on request', async () => {
    const meeting = join(folder, 'meeting.wav');
    writeFileSync(meeting, wavOf(DIALOGUE));
    const subtitles = join(folder, 'meeting.vtt');
    const plain = await outputOf(start('examples/meeting-to-subtitles.mjs', meeting, join(folder, 'meeting.srt')));
    assert.match(plain, /meeting\.srt: [1-9]\d* cues/);
    await outputOf(start('examples/meeting-to-subtitles.mjs', meeting, subtitles, '--speakers'));
    const written = readFileSync(subtitles, 'utf8');
    assert.match(written, /^WEBVTT\n[\s\S]*<v \S+>[\s\S]*-->/);
    assert.equal(new Set(written.match(/<v [^>]+>/g)).size, 2);
  });

  test('Home Assistant: models, and the text of a recording', async () => {
    const voice = join(folder, 'voice.wav');
    writeFileSync(voice, wavOf(SPEECH));
    const port = String(service.app.ports.get('wyoming'));
    const output = await outputOf(start('examples/home-assistant.mjs', '127.0.0.1', port, voice));
    assert.match(output, new RegExp(`^models: .*svc-1\\.0-lite.*\\nheard: ${SAID}\\n$`));
  });
});
