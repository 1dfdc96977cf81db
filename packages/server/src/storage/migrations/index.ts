// All migrations in order. Append new ones; never change a released one.
import type { Migration } from '../migrate.ts';
import { accountsAndLedger } from './0001-accounts-and-ledger.ts';
import { people } from './0002-people.ts';
import { uploadLimits } from './0003-upload-limits.ts';
import { keyOwnersAndHashedSessions } from './0004-key-owners-and-hashed-sessions.ts';
import { refinementLevels } from './0005-refinement-levels.ts';
import { closingResetsAndDetails } from './0006-closing-resets-and-details.ts';
import { idempotencyAndJobs } from './0007-idempotency-and-jobs.ts';
import { receipts } from './0008-receipts.ts';
import { verifiedAddresses } from './0009-verified-addresses.ts';
import { voices } from './0010-voices.ts';
import { clientSecrets } from './0011-client-secrets.ts';
import { effort } from './0012-effort.ts';
import { keyRulesAndTags } from './0013-key-rules.ts';
import { falseAlarms } from './0014-false-alarms.ts';
import { redaction } from './0015-redaction.ts';
import { languages } from './0016-languages.ts';
import { archivedUsage } from './0017-archived-usage.ts';

export const MIGRATIONS: readonly Migration[] = [
  accountsAndLedger,
  people,
  uploadLimits,
  keyOwnersAndHashedSessions,
  refinementLevels,
  closingResetsAndDetails,
  idempotencyAndJobs,
  receipts,
  verifiedAddresses,
  voices,
  clientSecrets,
  effort,
  keyRulesAndTags,
  falseAlarms,
  redaction,
  languages,
  archivedUsage,
];
