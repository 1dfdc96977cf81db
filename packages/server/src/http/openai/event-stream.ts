// A transcript as server-sent events: text as it settles, then the whole of it.
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ClientLeft } from '../../calls/client-left.ts';
import type { FileCall } from '../../calls/file-call.ts';
import type { TranscribedAudio } from '../../calls/success-response.ts';
import { asFault } from '../../platform/fault.ts';
import { openAiErrors } from './error-format.ts';
import { languagesOf } from './responses.ts';

/** Proxies close connections on which nothing moves. */
const PING_INTERVAL_MS = 15_000;
/** OpenAI counts audio as so many tokens a second. */
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

/** Begins with its first event, so that a call that fails before it is answered with a plain error. */
class EventStream {
  readonly #reply: FastifyReply;
  readonly #body = new PassThrough();
  #state: 'unsent' | 'open' = 'unsent';

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  send(data: object, event?: string): void {
    this.#write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  ping(): void {
    this.#write(': ping\n\n');
  }

  end(): void {
    this.#body.end();
  }

  #write(text: string): void {
    if (this.#state === 'unsent') {
      this.#state = 'open';
      this.#reply
        .type('text/event-stream; charset=utf-8')
        .headers({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
        .send(this.#body);
    }
    this.#body.write(text);
  }
}

export const answerWithEvents = async (call: FileCall, reply: FastifyReply): Promise<FastifyReply> => {
  const events = new EventStream(reply);
  const pings = setInterval(() => events.ping(), PING_INTERVAL_MS);
  try {
    const transcribed = await call.run(() =>
      call.transcribe((delta) => events.send({ type: 'transcript.text.delta', delta })),
    );
    const { text, detectedLanguage } = transcribed.transcript;
    const usage = usageOf(transcribed);
    events.send({ type: 'transcript.text.done', text, ...languagesOf(detectedLanguage), usage });
  } catch (thrown) {
    if (!events.isOpen) throw thrown;
    const fault = asFault(thrown);
    if (!(thrown instanceof ClientLeft))
      events.send({ type: 'error', ...openAiErrors.body(fault, call.requestId) }, 'error');
  } finally {
    clearInterval(pings);
    events.end();
  }
  return reply;
};
