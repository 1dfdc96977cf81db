// Sends a transcript as server-sent events: deltas as text becomes final, then the complete text.
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ClientLeft } from '../../../calls/client-left.ts';
import type { FileCall } from '../../../calls/files/file-call.ts';
import type { TranscribedAudio } from '../../../calls/files/upload.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import { asFault } from '../../../lib/fault.ts';
import { openAiErrors } from '../error-format.ts';
import type { OpenAiRequest } from './form.ts';
import { diarizedSegments, languagesOf } from './response.ts';

/** Proxies close idle connections. */
const PING_INTERVAL_MS = 15_000;
const PING = ': ping\n\n';
const AUDIO_TOKENS_PER_SECOND = 10;

const usageOf = ({ transcript, audioSeconds }: TranscribedAudio) => {
  const audioTokens = Math.ceil(audioSeconds * AUDIO_TOKENS_PER_SECOND);
  return {
    type: 'tokens',
    input_tokens: audioTokens,
    input_token_details: { text_tokens: 0, audio_tokens: audioTokens },
    output_tokens: transcript.outputTokenCount,
    total_tokens: audioTokens + transcript.outputTokenCount,
  };
};

/** Starts with its first event, so that a call that fails before then gets a plain error response. */
class EventStream {
  readonly #reply: FastifyReply;
  readonly #body = new PassThrough();
  isOpen = false;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  send(event: string): void {
    if (!this.isOpen) this.#reply.type(CONTENT_TYPE).headers(HEADERS).send(this.#body);
    this.isOpen = true;
    this.#body.write(event);
  }

  end(): void {
    this.#body.end();
  }
}

const CONTENT_TYPE = 'text/event-stream; charset=utf-8';
const HEADERS = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } as const;

const eventOf = (data: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** A retry with the same idempotency key gets all events at once. */
export const answerWithEvents = async (
  call: FileCall,
  request: Pick<OpenAiRequest, 'format' | 'known'>,
  reply: FastifyReply,
): Promise<'sent'> => {
  const events = new EventStream(reply);
  const pings = setInterval(() => events.send(PING), PING_INTERVAL_MS);
  let deltas = '';
  let last = '';
  const render = (transcribed: TranscribedAudio): FileAnswer => {
    const { text, detectedLanguage } = transcribed.transcript;
    const usage = usageOf(transcribed);
    // Speakers are known only at the end.
    const segments = request.format === 'diarized_json' ? diarizedSegments(transcribed.transcript, request) : [];
    last = segments.map((segment) => eventOf(segment)).join('');
    last += eventOf({ type: 'transcript.text.done', text, ...languagesOf(detectedLanguage), usage });
    return { contentType: CONTENT_TYPE, headers: HEADERS, body: deltas + last };
  };
  const onStableText = (delta: string): void => {
    const event = eventOf({ type: 'transcript.text.delta', delta });
    deltas += event;
    events.send(event);
  };
  try {
    await call.run(() => call.transcribe(render, onStableText));
    events.send(last);
  } catch (thrown) {
    if (!events.isOpen) throw thrown;
    const fault = asFault(thrown);
    const isLeft = thrown instanceof ClientLeft;
    if (!isLeft) events.send(eventOf({ type: 'error', ...openAiErrors.body(fault, call.requestId) }, 'error'));
  } finally {
    clearInterval(pings);
    events.end();
  }
  return 'sent';
};
