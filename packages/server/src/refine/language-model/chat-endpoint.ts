// Requests one completion from an OpenAI-compatible chat endpoint, with limits on time and size.
import type { ChatMessage } from './prompt.ts';

export interface ChatEndpoint {
  /** The base URL (…/v1) or the full URL of the chat completions. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
}

/** Why there is no usable answer. Never contains transcript text. */
export class ChatFault extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The language model gave no usable answer: ${reason}.`);
    this.name = 'ChatFault';
    this.reason = reason;
  }
}

const ANSWER_BYTES_MAX = 1024 * 1024;

const addressOf = (url: string): string =>
  /\/chat\/completions\/?$/u.test(url) ? url : `${url.replace(/\/+$/u, '')}/chat/completions`;

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX) throw new ChatFault('answer_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const contentOf = (body: string): string => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new ChatFault('answer_not_json');
  }
  const choice = (parsed as { choices?: { message?: { content?: unknown }; finish_reason?: unknown }[] } | null)
    ?.choices?.[0];
  if (typeof choice?.message?.content !== 'string') throw new ChatFault('answer_without_text');
  if (choice.finish_reason === 'length') throw new ChatFault('answer_cut_short');
  return choice.message.content;
};

export const complete = async (
  endpoint: ChatEndpoint,
  messages: readonly ChatMessage[],
  tokensMax: number,
  signal: AbortSignal,
): Promise<string> => {
  const timeout = AbortSignal.timeout(endpoint.timeoutMs);
  try {
    const response = await fetch(addressOf(endpoint.url), {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(endpoint.apiKey ? { authorization: `Bearer ${endpoint.apiKey}` } : {}),
      },
      body: JSON.stringify({ model: endpoint.model, messages, temperature: 0, max_tokens: tokensMax, stream: false }),
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ChatFault(`http_${response.status}`);
    }
    return contentOf(await readBounded(response));
  } catch (thrown) {
    if (thrown instanceof ChatFault) throw thrown;
    // An abort by the caller, such as the stage timeout, is not a fault of the endpoint.
    signal.throwIfAborted();
    throw new ChatFault(timeout.aborted ? 'timeout' : 'unreachable');
  }
};
