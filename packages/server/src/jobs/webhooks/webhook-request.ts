// Sends one webhook, to public addresses only. Resolves and checks the address again after each redirect.
import {
  type AddressCheck,
  AddressRefused,
  addressOf,
  publicUrl,
  requestPublicUrl,
} from '../../lib/net/public-address.ts';
import { detached, type Signer, WEBHOOK_TYPE } from './signer.ts';

/** The allowed receivers. */
export interface ReceiverRules {
  readonly protocols: readonly string[];
  readonly isAllowedAddress?: AddressCheck;
}

export const PUBLIC_RECEIVERS: ReceiverRules = { protocols: ['https:'] };

const REDIRECTS_MAX = 3;
/** Redirects that repeat the POST; others would turn it into a GET. */
const REDIRECTS: readonly number[] = [307, 308];
/** The receiver refuses the webhook permanently. */
const GONE = 410;
const TIMEOUT_MS = 15_000;

export type Delivery =
  | { readonly kind: 'delivered' }
  /** `reason` is shown to the owner of the job. It reveals nothing of the response except its status. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isFinal: boolean };

/** Throws AddressRefused if the receiver is not allowed at its current address. */
export const checkReceiver = async (
  text: string,
  { protocols, isAllowedAddress }: ReceiverRules,
  owner: string,
): Promise<void> => {
  await addressOf(publicUrl(text, { protocols }), { owner, isAllowedAddress });
};

export interface WebhookMessage {
  /** The account whose webhook it is, or `operator`. */
  readonly owner: string;
  readonly url: string;
  readonly id: string;
  readonly payload: object;
}

/** Never rejects. */
export const sendWebhook = async (
  message: WebhookMessage,
  { signer, rules, signal }: { readonly signer: Signer; readonly rules: ReceiverRules; readonly signal: AbortSignal },
): Promise<Delivery> => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const body = JSON.stringify(message.payload);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'faircopy-webhook-id': message.id,
      'faircopy-signature': detached(await signer.sign(WEBHOOK_TYPE, message.payload)),
    };
    let url = publicUrl(message.url, rules);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const response = await requestPublicUrl(url, {
        method: 'POST',
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
        signal: AbortSignal.any([signal, timeout]),
        isAllowedAddress: rules.isAllowedAddress,
        owner: message.owner,
      });
      const { statusCode = 0 } = response;
      const { location } = response.headers;
      response.on('error', () => {});
      response.destroy();
      if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
      if (!REDIRECTS.includes(statusCode) || location === undefined)
        return { kind: 'failed', reason: `answered with status ${statusCode}`, isFinal: statusCode === GONE };
      url = publicUrl(location, { ...rules, base: url });
    }
    return { kind: 'failed', reason: `redirected more than ${REDIRECTS_MAX} times`, isFinal: false };
  } catch (thrown) {
    const reason =
      thrown instanceof AddressRefused
        ? thrown.message
        : timeout.aborted
          ? `no answer within ${TIMEOUT_MS / 1000} s`
          : 'the connection failed';
    return { kind: 'failed', reason, isFinal: false };
  }
};
