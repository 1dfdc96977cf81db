// The order of events at both vendors' live endpoints, whatever voice activity hears and however late recognition is.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { ChannelEvents } from '../../src/endpoints/deepgram/live/channel-events.ts';
import { Items } from '../../src/endpoints/openai/realtime/items.ts';
import { TurnEvents } from '../../src/endpoints/openai/realtime/turn-events.ts';
import { TranscriptionService } from '../../src/transcription/service.ts';
import { passthroughRefiner } from '../../src/transcription/testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../../src/transcription/text/refinement-stage.ts';
import type { SessionEvent } from '../../src/transcription/transcriber.ts';
import { audioOf, FRAME_MS, ScriptedVoices, VOICE } from './scripted-voice.ts';

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

interface Step {
  /** Frames of the same probability. */
  readonly frames: number;
  readonly probability: number;
  /** Windows that are answered after it. */
  readonly answers: number;
  readonly flushes: boolean;
}

const CHUNK_FRAMES = 4;
/** 200 ms. */
const SILENCE_FRAMES_MIN = 7;
const TEXT = { base: 'raw', fillers: true, numerals: false, punctuation: true, noProfanity: false };
const UTTERANCE_END_MS = 1_000;

const steps = fc.array(
  fc.record({
    frames: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 12, max: 60 }), fc.constant(500)),
    probability: fc.constantFrom(0.02, 0.02, 0.02, 0.1, 0.3, 0.95, 0.95, 0.95),
    answers: fc.integer({ min: 0, max: 3 }),
    flushes: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  }),
  { minLength: 1, maxLength: 14 },
);

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs a script and returns the events of the session and the messages of both endpoints. */
const play = async (script: readonly Step[], endpointingMs: number) => {
  const engine = new ScriptedVoices();
  const service = new TranscriptionService({
    engine,
    refinementStage: new InlineRefinementStage(passthroughRefiner),
    recognitionTimeoutMs: 60_000,
    refinementTimeoutMs: 60_000,
    graceMs: 0,
  });
  const events: SessionEvent[] = [];
  const deepgram: Message[] = [];
  const realtime: Message[] = [];
  const request = {
    channels: 1,
    vadEvents: true,
    utteranceEndMs: UTTERANCE_END_MS,
    text: TEXT,
    searches: [],
    replacements: [],
  };
  const facts = { requestUuid: 'u', request: { ...request, live: { model: 'svc-1.0-lite' } } } as never;
  const channel = new ChannelEvents(facts, 0, (message) => deepgram.push(message as Message));
  const items = new Items((message) => realtime.push(message as Message));
  const turns = new TurnEvents(items, 0);
  const session = service.open(
    {
      requestId: 'r',
      accountId: 'a',
      mode: 'stream',
      model: 'svc-1.0-lite',
      languageHint: undefined,
      vocabulary: [],
      wantWordTimes: true,
      waitingSecondsMax: 10_000,
      finals: { kind: 'utterances', endpointingMs, wantInterims: true },
    },
    (event) => {
      events.push(event);
      channel.take(event);
      turns.take(event, () => undefined);
    },
  );
  const flushes: Promise<void>[] = [];
  for (const { frames, probability, answers, flushes: flushed } of script) {
    for (let at = 0; at < frames; at += CHUNK_FRAMES) {
      const chunk = Array.from({ length: Math.min(CHUNK_FRAMES, frames - at) }, () => probability);
      void session.write(audioOf(chunk));
      await turnOfLoop();
    }
    engine.answer(answers);
    if (flushed) flushes.push(session.flush());
    await turnOfLoop();
  }
  engine.answerAll();
  await Promise.all(flushes);
  await session.finish();
  await service.close();
  return { events, deepgram, realtime, isOpen: items.isOpen };
};

/** Whether a voice touches this moment, by the script. */
const voicedAt = (script: readonly Step[]) => {
  const frames = script.flatMap(({ frames: count, probability }) => Array.from({ length: count }, () => probability));
  const hasVoice = (frame: number): boolean => (frames[frame] ?? 0) >= VOICE;
  // A silence that is shorter than this is part of speech, so a word may end in it.
  const near = Array.from({ length: SILENCE_FRAMES_MIN }, (_, distance) => distance);
  const isVoiced = (frame: number): boolean => {
    const before = near.find((distance) => hasVoice(frame - distance));
    const after = near.find((distance) => hasVoice(frame + distance));
    return before !== undefined && after !== undefined && before + after <= SILENCE_FRAMES_MIN;
  };
  return (ms: number): boolean => {
    const frame = Math.floor(Math.round(ms) / FRAME_MS);
    return isVoiced(frame) || (Math.round(ms) % FRAME_MS === 0 && isVoiced(frame - 1));
  };
};

const checkDeepgram = (messages: readonly Message[], isVoice: (ms: number) => boolean): void => {
  let [finalEnd, started, wordEnd, ended] = [0, -1, -1, true];
  for (const message of messages) {
    if (message.type === 'SpeechStarted') {
      const timestamp = message.timestamp as number;
      assert.ok(timestamp > started, 'SpeechStarted goes forward');
      assert.ok(isVoice(timestamp * 1000), 'SpeechStarted is where a voice is');
      [started, ended] = [timestamp, false];
    }
    if (message.type === 'UtteranceEnd') {
      const lastWordEnd = message.last_word_end as number;
      assert.equal(ended, false, 'one UtteranceEnd for each start of speech');
      assert.equal(lastWordEnd, wordEnd, 'UtteranceEnd names the last final word');
      assert.ok(lastWordEnd >= started, 'UtteranceEnd never comes for a pause that is over');
      assert.ok(isVoice(lastWordEnd * 1000), 'the last word ends with a voice');
      ended = true;
    }
    if (message.type !== 'Results') continue;
    const { start, duration, is_final, speech_final, channel } = message as never as {
      start: number;
      duration: number;
      is_final: boolean;
      speech_final: boolean;
      channel: { alternatives: { words: { start: number; end: number }[] }[] };
    };
    assert.ok(Math.abs(start - finalEnd) < 0.002, 'results begin where the last final ended');
    for (const word of channel.alternatives[0]!.words) {
      assert.ok(word.end >= word.start && isVoice(word.start * 1000) && isVoice(word.end * 1000), 'words have a voice');
      if (is_final) {
        assert.ok(word.start >= wordEnd - 0.5, 'final words go forward');
        wordEnd = word.end;
      }
    }
    if (speech_final) assert.ok(is_final && start + duration > started, 'speech_final never comes after new speech');
    if (is_final) finalEnd = start + duration;
  }
};

const checkRealtime = (messages: readonly Message[], isVoice: (ms: number) => boolean): void => {
  const items = new Map<string, { startMs: number; deltas: string; state: string }>();
  let [previous, listening, lastMs]: [string | null, string | null, number] = [null, null, -1];
  messages.forEach((message, index) => {
    const type = message.type.replace('conversation.item.input_audio_transcription.', '');
    const id = String(message.item_id ?? (message.item as { id: string } | undefined)?.id);
    const item = items.get(id);
    if (type === 'input_audio_buffer.speech_started') {
      assert.equal(listening, null, 'an item is committed before the next one starts');
      const startMs = message.audio_start_ms as number;
      assert.ok(startMs >= lastMs, 'items go forward');
      items.set(id, { startMs, deltas: '', state: 'started' });
      listening = id;
      return;
    }
    assert.ok(item, `${type} of an item that was started`);
    if (type === 'input_audio_buffer.speech_stopped') {
      assert.equal(id, listening);
      lastMs = message.audio_end_ms as number;
      assert.ok(lastMs > item.startMs && isVoice(lastMs), 'speech stops after it started, where a voice was');
      assert.equal(messages[index + 1]?.type, 'input_audio_buffer.committed', 'committed follows speech_stopped');
    }
    if (type === 'input_audio_buffer.committed') {
      assert.equal(message.previous_item_id, previous);
      assert.equal(item.state, 'started', 'an item is committed once');
      [item.state, previous, listening] = ['committed', id, null];
    }
    if (type === 'delta') {
      assert.notEqual(item.state, 'completed');
      item.deltas += String(message.delta);
    }
    if (type === 'completed') {
      assert.equal(item.state, 'committed', 'an item is completed once, after it was committed');
      item.state = 'completed';
      assert.equal(item.deltas !== message.transcript, message.deltas_revised === true, 'revised deltas are announced');
    }
  });
  for (const { state } of items.values()) assert.equal(state, 'completed');
};

test('events come in an order that can happen, and never for a pause that is over', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(200, 300, 600), async (script, endpointingMs) => {
      const { deepgram, realtime, isOpen } = await play(script, endpointingMs);
      const isVoice = voicedAt(script);
      checkDeepgram(deepgram, isVoice);
      checkRealtime(realtime, isVoice);
      assert.equal(isOpen, false, 'every item is completed');
    }),
    // Fixed, so that every run checks the same scripts. Other seeds: docs/internals/turns.md.
    { numRuns: 60, seed: Number(process.env.FAIRCOPY_TEST_SEED ?? 1) },
  );
});

test('a late final ends nothing once somebody speaks again', async () => {
  const voice = (frames: number, answers = 0): Step => ({ frames, probability: 0.95, answers, flushes: false });
  const silence = (frames: number, answers = 0): Step => ({ frames, probability: 0.02, answers, flushes: false });
  // The first final waits until the second utterance has begun.
  const { deepgram, realtime } = await play(
    [silence(10), voice(30), silence(60), voice(20, 3), voice(10), silence(80)],
    300,
  );
  const finals = deepgram.filter(({ type, is_final }) => type === 'Results' && is_final === true);
  assert.deepEqual(
    finals.filter(({ speech_final }) => speech_final).length,
    1,
    'only the second pause ends the utterance',
  );
  assert.equal(deepgram.filter(({ type }) => type === 'UtteranceEnd').length, 1);
  assert.equal(realtime.filter(({ type }) => type === 'input_audio_buffer.committed').length, 2);
});
