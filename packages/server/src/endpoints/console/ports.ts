// Dependencies of the console's API.
import type { ClusterStatus, ModelId, Prices, ServerStatus } from '@faircopy/contract';
import type { Mailer } from '../../accounts/people/mailer.ts';
import type { AccountLimits } from '../../accounts/principal.ts';
import type { SignIn } from '../../accounts/sign-in/sign-in.ts';
import type { AudioFormats } from '../../audio/upload-decoding.ts';
import type { Calls } from '../../calls/calls.ts';
import type { LongFileSettings } from '../../calls/settings.ts';
import type { Storage } from '../../storage/open.ts';
import type { ReceiptSigner } from '../../usage/receipts/signing-keys.ts';
import type { JobUploadParts } from '../jobs/job-upload.ts';

export interface ConsoleJobsPort {
  readonly upload: JobUploadParts;
  /** Decrypts the results of jobs that were sent from the console. */
  readonly secret: string;
  readonly keepHours: number;
}

export interface ConsolePorts {
  readonly storage: Storage;
  readonly signer: ReceiptSigner;
  readonly signIn: SignIn;
  readonly version: string;
  readonly models: readonly ModelId[];
  /** Limits of accounts without their own. */
  readonly defaultLimits: AccountLimits;
  /** Label of the OIDC sign-in button; null without OIDC. */
  readonly oidcName: string | null;
  /** The URL that browsers use. Default: from the request. */
  readonly publicUrl: string | undefined;
  /** Whether uses of vocabulary terms are counted. */
  readonly countsVocabulary: boolean;
  /** Default: false. */
  readonly canEnrolVoices?: boolean;
  /** The formats that POST /v1/transcribe accepts. */
  readonly fileFormats: AudioFormats;
  /** Undefined without a mail server. */
  readonly mailer?: Mailer | undefined;
  /** Called when an e-mail could not be sent. */
  readonly onMailFailure?: (cause: unknown) => void;
  /** Transcribes the playground's files; undefined when the server does not transcribe. */
  readonly calls?: Calls | undefined;
  readonly uploadTimeoutMs?: number;
  /** Limits of the playground's files. */
  readonly longFiles: LongFileSettings;
  /** Prices that the operator set. Default: none. */
  readonly prices?: Prices | null;
  /** Undefined where jobs are off. */
  readonly jobs?: ConsoleJobsPort | undefined;
  /** The folder of the built pages. */
  readonly siteFolder: string;
  status(): ServerStatus | Promise<ServerStatus>;
  /** Gateways and workers; null without a cluster. */
  clusterStatus(): ClusterStatus | null;
}
