// What the console's API needs from the rest of the house.
import type { ClusterStatus, ModelId, ServerStatus } from '@faircopy/contract';
import type { Mailer } from '../../accounts/people/mailer.ts';
import type { AccountLimits } from '../../accounts/principal.ts';
import type { SignIn } from '../../accounts/sign-in/sign-in.ts';
import type { AudioFormats } from '../../audio/upload-decoding.ts';
import type { Calls } from '../../calls/calls.ts';
import type { Storage } from '../../storage/open.ts';
import type { ReceiptSigner } from '../../usage/receipts/signing-keys.ts';

export interface ConsolePorts {
  readonly storage: Storage;
  readonly signer: ReceiptSigner;
  readonly signIn: SignIn;
  readonly version: string;
  readonly models: readonly ModelId[];
  /** Limits of accounts that were given none of their own. */
  readonly defaultLimits: AccountLimits;
  /** Name on the button of the organisation's own sign-in; null when there is none. */
  readonly oidcName: string | null;
  /** How browsers reach the service, when that cannot be told from the request. */
  readonly publicUrl: string | undefined;
  /** Whether it is counted how often terms of vocabularies are written. */
  readonly countsVocabulary: boolean;
  /** Addresses and ranges of proxies that may say who is behind them; none when not given. */
  readonly trustedProxies?: readonly string[];
  /** What POST /v1/transcribe takes. */
  readonly fileFormats: AudioFormats;
  /** Sends links by e-mail; absent where no mail server is set. */
  readonly mailer?: Mailer | undefined;
  /** Told when a letter that nobody waits for was not sent. */
  readonly onMailFailure?: (cause: unknown) => void;
  /** Takes the playground's files; absent where nothing is transcribed. */
  readonly calls?: Calls | undefined;
  readonly uploadTimeoutMs?: number;
  /** Folder of the built pages. */
  readonly siteFolder: string;
  status(): ServerStatus | Promise<ServerStatus>;
  /** Gateways and workers; null for a server that stands alone. */
  clusterStatus(): ClusterStatus | null;
}
