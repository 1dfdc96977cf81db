// Sends a window to an OpenAI-compatible server: one attempt, with limits on time and size.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import { wavHeader } from '../../lib/wav-header.ts';
import type { SpeechWindow } from '../recogniser.ts';
import type { RemoteTierSettings } from './settings.ts';

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** Servers truncate prompts at about 200 tokens; the end matters most. */
const PROMPT_CHARS_MAX = 800;
const RETRY_AFTER_MS_MAX = 2_000;

/** Why a request failed. The message never contains audio or text. */
export class RemoteFault extends Error {
  /** When a retry may help. never: the settings are wrong. window: only this window fails. */
  readonly recovery: 'immediate' | 'later' | 'never' | 'window';
  readonly retryAfterMs: number;
  constructor(message: string, recovery: RemoteFault['recovery'], retryAfterMs = 0) {
    super(message);
    this.name = 'RemoteFault';
    this.recovery = recovery;
    this.retryAfterMs = retryAfterMs;
  }
}

const wavOf = (samples: Float32Array): Blob => {
  const values = Int16Array.from(samples, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))));
  const format = { kind: 'signed', bytes: 2 } as const;
  const header = wavHeader({ format, sampleRateHz: SAMPLE_RATE_HZ, channels: 1 }, values.byteLength);
  return new Blob([header, values], { type: 'audio/wav' });
};

/** The decided language, or the only one supported; otherwise the hint, if supported. */
const languageOf = ({ language, languageHint }: SpeechWindow, { languages }: RemoteTierSettings): string | null => {
  const decided = language ?? (languages?.length === 1 ? languages[0]! : null);
  if (decided !== null && (languages?.includes(decided) ?? true)) return decided;
  const hint = languageHint?.split('-')[0];
  return hint !== undefined && languages?.includes(hint) ? hint : null;
};

const formOf = (window: SpeechWindow, settings: RemoteTierSettings): FormData => {
  const form = new FormData();
  form.set('model', settings.model);
  const wantsWords = window.wantWordTimes && settings.wordTimes;
  form.set('response_format', 'verbose_json');
  form.set('temperature', '0');
  if (wantsWords) for (const part of ['word', 'segment']) form.append('timestamp_granularities[]', part);
  const language = languageOf(window, settings);
  if (language !== null && window.task !== 'translate') form.set('language', language);
  const terms = window.vocabulary.length > 0 ? `${window.vocabulary.map(({ text }) => text).join(', ')}. ` : '';
  const prompt = `${terms}${window.precedingText?.text ?? ''}`.trim().slice(-PROMPT_CHARS_MAX);
  if (prompt !== '') form.set('prompt', prompt);
  for (const [name, value] of Object.entries(settings.fields)) form.set(name, value);
  form.set('file', wavOf(window.samples), 'window.wav');
  return form;
};

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_BYTES_MAX) throw new RemoteFault('the answer is too large', 'window');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const faultOf = ({ status, headers }: Response): RemoteFault => {
  const seconds = Number(headers.get('retry-after') ?? 0);
  const retryAfterMs = Number.isFinite(seconds) ? Math.min(1000 * seconds, RETRY_AFTER_MS_MAX) : 0;
  const said = `it answered with status ${status}`;
  if (status === 401 || status === 403) return new RemoteFault(`${said}: check the key`, 'never');
  if (status === 404 || status === 405) return new RemoteFault(`${said}: check the address and the model`, 'never');
  if (status === 408 || status === 429 || status >= 500) return new RemoteFault(said, 'immediate', retryAfterMs);
  return new RemoteFault(said, 'window');
};

/** Resolves to the response body; rejects with RemoteFault, or with the signal's reason. */
export const askRemote = async (
  window: SpeechWindow,
  settings: RemoteTierSettings,
  signal: AbortSignal,
): Promise<string> => {
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const path = window.task === 'translate' ? 'translations' : 'transcriptions';
  try {
    const response = await fetch(`${settings.url}/audio/${path}`, {
      method: 'POST',
      body: formOf(window, settings),
      headers: settings.key === undefined ? {} : { authorization: `Bearer ${settings.key}` },
      signal: AbortSignal.any([timeout, signal]),
      redirect: 'error',
    });
    if (response.ok) return await readBounded(response);
    await response.body?.cancel();
    throw faultOf(response);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof RemoteFault) throw cause;
    if (timeout.aborted) throw new RemoteFault(`it took longer than ${settings.timeoutMs} ms`, 'later');
    const { code, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
    throw new RemoteFault(`it cannot be reached: ${code ?? message}`, 'immediate');
  }
};
