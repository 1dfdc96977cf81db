// What the console's API needs from the rest of the house.
import type { ModelId, ServerStatus } from '@faircopy/contract';
import type { SignIn } from '../../accounts/people/sign-in.ts';
import type { AccountLimits } from '../../accounts/principal.ts';
import type { ReceiptSigner } from '../../receipts/signing-keys.ts';
import type { Storage } from '../../storage/open.ts';

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
  /** Addresses and ranges of proxies that may say who is behind them; none when not given. */
  readonly trustedProxies?: readonly string[];
  /** Folder of the built pages. */
  readonly siteFolder: string;
  status(): ServerStatus | Promise<ServerStatus>;
}
