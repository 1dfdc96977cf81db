// Fetches a recording from a URL that the client names, from public addresses only.
import type { IncomingMessage } from 'node:http';
import { Fault, invalidRequest } from '../fault.ts';
import { type AddressCheck, AddressRefused, publicUrl, requestPublicUrl } from './public-address.ts';

const REDIRECTS_MAX = 3;
const PROTOCOLS = ['http:', 'https:'];

const refused = (message: string): Fault => invalidRequest(message, 'url');

export interface RemoteAudioOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The account that makes the request. */
  readonly owner: string;
  /** Which addresses may be fetched. Default: public ones. */
  readonly isAllowedAddress?: AddressCheck;
}

/** Returns the response with the recording. The caller must limit its size. */
export const openRemoteAudio = async (text: string, options: RemoteAudioOptions): Promise<IncomingMessage> => {
  try {
    return await open(text, options);
  } catch (thrown) {
    if (thrown instanceof AddressRefused) throw refused(thrown.message);
    if (thrown instanceof Fault || options.signal.aborted) throw thrown;
    throw refused('The url could not be read.');
  }
};

const open = async (text: string, options: RemoteAudioOptions): Promise<IncomingMessage> => {
  let url = publicUrl(text, { protocols: PROTOCOLS });
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const response = await requestPublicUrl(url, { method: 'GET', headers: { accept: '*/*' }, ...options });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    response.destroy();
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined)
      throw refused(`The url responded with status ${statusCode}.`);
    url = publicUrl(headers.location, { base: url, protocols: PROTOCOLS });
  }
  throw refused(`The url redirects more than ${REDIRECTS_MAX} times.`);
};
