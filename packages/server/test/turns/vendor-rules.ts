// Checks the messages of a script against the ordering rules of both vendors' documentation.
import assert from 'node:assert/strict';
import type { Message, Step } from './play.ts';
import { FRAME_MS, VOICE } from './scripted-voice.ts';

/** 200 ms, in whole frames. */
const SILENCE_FRAMES_MIN = 7;

/** Whether the script has a voice at a given time, or one that ends there. */
export const voicedAt = (script: readonly Step[]) => {
  const frames = script.flatMap(({ frames: count, probability }) => Array.from({ length: count }, () => probability));
  const hasVoice = (frame: number): boolean => (frames[frame] ?? 0) >= VOICE;
  // A shorter silence is part of speech, so a word may end in it.
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

export const checkDeepgram = (messages: readonly Message[], isVoice: (ms: number) => boolean): void => {
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

export const checkRealtime = (messages: readonly Message[], isVoice: (ms: number) => boolean): void => {
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

export const checkFlux = (messages: readonly Message[], isVoice: (ms: number) => boolean): void => {
  let [index, state, endedAt, eagerText] = [0, 'none', 0, ''];
  for (const message of messages) {
    const { event, turn_index, transcript, isSpeaking } = message;
    const [start, end] = [message.audio_window_start as number, message.audio_window_end as number];
    assert.equal(turn_index, index, 'turns are numbered');
    assert.equal(event === 'StartOfTurn', state === 'none', 'a turn starts once, before anything else');
    assert.ok(start >= endedAt && end >= start, 'turns go forward and do not overlap');
    assert.ok(isVoice(start * 1000), 'a turn starts where a voice is');
    if (event === 'EagerEndOfTurn') assert.equal(state, 'open', 'one eager end at a time');
    if (event === 'TurnResumed') assert.equal(state, 'eager', 'only an eager end is taken back');
    if (event === 'Update') assert.equal(state, 'open', 'nothing is added to a turn that has probably ended');
    if (event === 'EagerEndOfTurn' || (event === 'EndOfTurn' && !message.isForced))
      assert.equal(isSpeaking, false, 'a turn never ends while somebody speaks');
    if (event === 'EndOfTurn' && state === 'eager')
      assert.equal(transcript, eagerText, 'an eager end has the whole turn');
    if (event === 'EagerEndOfTurn') [state, eagerText] = ['eager', String(transcript)];
    else state = 'open';
    if (event === 'EndOfTurn') [index, state, endedAt] = [index + 1, 'none', end];
  }
  assert.equal(state, 'none', 'every turn ends');
};
