// Runs a script of voice activity, recognition and flushes, and records the messages of all endpoints.
import fc from 'fast-check';
import { turnInfo } from '../../src/endpoints/deepgram/flux/messages.ts';
import { ChannelEvents } from '../../src/endpoints/deepgram/live/channel-events.ts';
import { Items } from '../../src/endpoints/openai/realtime/items.ts';
import { TurnEvents } from '../../src/endpoints/openai/realtime/turn-events.ts';
import { REQUEST, scriptedService } from '../../src/transcription/session/testing/scripted-session.ts';
import { audioOf, ScriptedVoices } from './scripted-voice.ts';

export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Step {
  /** How many frames have this probability. */
  readonly frames: number;
  readonly probability: number;
  /** How many waiting windows and questions about turns are answered after the step. */
  readonly answers: number;
  readonly flushes: boolean;
}

export interface Script {
  readonly steps: readonly Step[];
  readonly endpointingMs: number;
  /** Whether the session detects turns. */
  readonly byTurns: boolean;
}

const CHUNK_FRAMES = 4;
const TEXT = { base: 'raw', fillers: true, numerals: false, punctuation: true, noProfanity: false } as const;
const UTTERANCE_END_MS = 1_000;
const THRESHOLDS = { end: 0.8, eagerEnd: 0.4, timeoutMs: 2_000 };

const stepsOf = (frames: fc.Arbitrary<number>, flushesOutOf10: number) =>
  fc.array(
    fc.record({
      frames,
      probability: fc.constantFrom(0.02, 0.02, 0.02, 0.1, 0.3, 0.95, 0.95, 0.95),
      answers: fc.integer({ min: 0, max: 3 }),
      flushes: fc.integer({ min: 0, max: 9 }).map((chance) => chance < flushesOutOf10),
    }),
    { minLength: 1, maxLength: 14 },
  );

/** Conversations, and sounds of a few frames with many flushes between them. */
export const scripts: fc.Arbitrary<Script> = fc.record({
  steps: fc.oneof(
    stepsOf(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 12, max: 60 }), fc.constant(500)), 1),
    stepsOf(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 24 })), 4),
  ),
  endpointingMs: fc.constantFrom(200, 300, 600),
  byTurns: fc.boolean(),
});

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs a script and returns the messages of all endpoints. */
export const play = async ({ steps, endpointingMs, byTurns }: Script) => {
  const engine = new ScriptedVoices();
  const service = scriptedService(engine, { graceMs: 0 });
  const deepgram: Message[] = [];
  const realtime: Message[] = [];
  const flux: Message[] = [];
  let [isSpeaking, isForced] = [false, false];
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
  const turns = new TurnEvents(items, 0, byTurns);
  const session = service.open(
    {
      ...REQUEST,
      mode: 'stream',
      waitingSecondsMax: 10_000,
      finals: { kind: 'utterances', endpointingMs, wantInterims: true, ...(byTurns && { turns: THRESHOLDS }) },
    },
    (event) => {
      channel.take(event);
      if (event.type === 'final') turns.final(event.final);
      else turns.take(event, () => undefined);
      if (event.type === 'speech_started') isSpeaking = true;
      if (event.type === 'speech_ended') isSpeaking = false;
      if (event.type !== 'turn') {
        isForced = event.type === 'final' && (event.final.endedBy === 'flush' || event.final.endedBy === 'end');
        return;
      }
      const info = turnInfo(event.step, event.turn, TEXT as never);
      if (info) flux.push({ ...info, isSpeaking, isForced });
    },
  );
  const flushes: Promise<void>[] = [];
  for (const { frames, probability, answers, flushes: flushed } of steps) {
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
  return { deepgram, realtime, flux, isOpen: items.isOpen };
};
