// `faircopy mcp` with the official client, and with the messages of older ones.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { BIN, runCliWith } from '../cli/run-cli.ts';
import { wavOf } from '../http/forms.ts';
import { sharedService } from '../http/service.ts';
import { until } from '../watch/watch-process.ts';

const WORDS = story(6);
const SAID = WORDS.join(' ');
const WAV = wavOf(spoken(WORDS));

suite('mcp', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-mcp-'));
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  const service = sharedService();

  before(() => {
    mkdirSync(root);
    mkdirSync(outside);
    for (const path of [join(root, 'talk.wav'), join(outside, 'secret.wav')]) writeFileSync(path, WAV);
    writeFileSync(join(root, 'notes.wav'), 'not audio');
    symlinkSync(join(outside, 'secret.wav'), join(root, 'link.wav'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const environment = () => ({
    ...(process.env as Record<string, string>),
    FAIRCOPY_URL: service().url,
    FAIRCOPY_API_KEY: service().key,
  });
  const open = async (t: TestContext, ...options: string[]) => {
    const args = [BIN, 'mcp', '--model', 'svc-1.0-lite', ...options];
    const transport = new StdioClientTransport({ command: process.execPath, args, cwd: root, env: environment() });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    t.after(() => client.close());
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: input });
      const [part] = content;
      assert.ok(part?.type === 'text');
      return { text: part.text, isError, structured: structuredContent as Record<string, unknown> | undefined };
    };
    return { client, call };
  };

  test('tools: transcribe a file, in the background too, list jobs and fetch a transcript', async (t) => {
    const { client, call } = await open(t, '--tag', 'assistant');
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['get_transcript', 'list_jobs', 'transcribe']);
    assert.deepEqual(await call('transcribe', { source: 'talk.wav' }), {
      text: `${SAID}\n`,
      isError: false,
      structured: undefined,
    });
    const subtitles = await call('transcribe', { source: join(root, 'talk.wav'), format: 'vtt', redact: ['pci'] });
    assert.match(subtitles.text, /^WEBVTT\n/);
    const job = await call('transcribe', { source: 'talk.wav', background: true });
    const id = job.structured?.job_id as string;
    assert.match(job.text, new RegExp(id));
    let fetched = job;
    await until('the job', async () => {
      fetched = await call('get_transcript', { job_id: id });
      return fetched.structured === undefined;
    });
    assert.deepEqual([fetched.text, fetched.isError], [`${SAID}\n`, false]);
    assert.match((await call('get_transcript', { job_id: id, format: 'srt' })).text, /^1\n00:00:00,/);
    const { structured } = await call('list_jobs', { state: 'succeeded' });
    assert.deepEqual(
      ((structured?.jobs ?? []) as { id: string }[]).map((one) => one.id),
      [id],
    );
    const usage = await fetch(`${service().url}/v1/usage?tag=assistant`, {
      headers: { authorization: `Token ${service().key}` },
    });
    assert.equal((await usage.text()).match(/"tags":\["assistant"\]/g)?.length, 3);
  });

  test('subtitles of a job without word times are refused', async (t) => {
    const { call } = await open(t);
    const form = new FormData();
    form.set('model', 'svc-1.0-lite');
    form.set('audio', new Blob([WAV]), 'talk.wav');
    const headers = { authorization: `Token ${service().key}` };
    const created = await fetch(`${service().url}/v1/jobs`, { method: 'POST', headers, body: form });
    const { job } = (await created.json()) as { job: { id: string } };
    await until('the job', async () => (await call('get_transcript', { job_id: job.id })).text === `${SAID}\n`);
    const { isError, text } = await call('get_transcript', { job_id: job.id, format: 'srt' });
    assert.ok(isError);
    assert.match(text, /no word times/);
  });

  test('a client that requests progress receives it while a recording is transcribed', async (t) => {
    const { client } = await open(t);
    service().engine.hold();
    t.after(() => service().engine.release());
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => {
      reports.push(progress);
      service().engine.release();
    };
    const call = { name: 'transcribe', arguments: { source: 'talk.wav' } };
    const { content } = await client.callTool(call, { onprogress, resetTimeoutOnProgress: true });
    assert.deepEqual(content, [{ type: 'text', text: `${SAID}\n` }]);
    assert.ok(reports.length > 0);
  });

  test('only files below the roots are read, and errors are sentences', async (t) => {
    const { call } = await open(t);
    const refused = /^There is no such file in .*root\. "faircopy mcp --root FOLDER" allows other folders\.$/;
    for (const source of [join(outside, 'secret.wav'), '../outside/secret.wav', 'link.wav', 'absent.wav', '.', '/']) {
      const { isError, text } = await call('transcribe', { source });
      assert.ok(isError, source);
      assert.match(text, refused);
    }
    const damaged = await call('transcribe', { source: 'notes.wav' });
    assert.ok(damaged.isError);
    assert.match(damaged.text, /request [0-9A-Z]{26}/);
    const unknown = await call('get_transcript', { job_id: '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C' });
    assert.ok(unknown.isError);
    const invalid = await call('transcribe', { source: 'talk.wav', redact: ['names'] }).catch(
      (thrown: Error) => thrown,
    );
    assert.match(invalid instanceof Error ? invalid.message : invalid.text, /redact/);
    const wider = await open(t, '--root', root, '--root', outside);
    assert.equal((await wider.call('transcribe', { source: join(outside, 'secret.wav') })).text, `${SAID}\n`);
  });

  test('addresses: public ones, others only when allowed', async (t) => {
    const web = createServer((_request, response) => response.end(WAV)).listen(0, '127.0.0.1');
    t.after(() => web.close());
    await once(web, 'listening');
    const source = `http://127.0.0.1:${(web.address() as { port: number }).port}/talk.wav`;
    const { call } = await open(t);
    assert.deepEqual(await call('transcribe', { source }), {
      text: 'The url leads to an address that is not public.',
      isError: true,
      structured: undefined,
    });
    const allowed = await open(t, '--private-urls');
    assert.equal((await allowed.call('transcribe', { source })).text, `${SAID}\n`);
  });

  test('standard output carries only the protocol, even for clients of 2024, and the end of input stops the server', async () => {
    const child = spawn(process.execPath, [BIN, 'mcp'], { cwd: root, env: environment() });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'old', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo } });
    await until('an answer', () => output.includes('\n'));
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'transcribe', arguments: { source: 'talk.wav' } } });
    await until('two answers', () => output.split('\n').length > 2);
    child.stdin.end();
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    const [hello, heard] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(hello.result.protocolVersion, '2024-11-05');
    assert.equal(heard.result.content[0].text, `${SAID}\n`);
  });

  test('a wrong call is reported on standard error', async () => {
    const missing = await runCliWith({ env: environment() }, 'mcp', '--root', join(folder, 'absent'));
    assert.deepEqual([missing.code, missing.stdout], [64, '']);
    assert.match(missing.stderr, /absent is not a folder/);
    const keyless = await runCliWith({ env: { ...environment(), FAIRCOPY_API_KEY: '' } }, 'mcp');
    assert.deepEqual([keyless.code, keyless.stdout], [64, '']);
  });
});
