// The database schema: every table by name. Both engines have the same columns; times are milliseconds since the epoch.
import type { Kysely, Transaction } from '#kysely';
import type {
  AccessVersionTable,
  AccountsTable,
  ApiKeysTable,
  VocabularyTermsTable,
  VocabularyUsesTable,
} from './schema/accounts.ts';
import type { IdempotencyKeysTable, JobAudioTable, JobsTable, ServerProcessesTable } from './schema/jobs.ts';
import type {
  MembershipsTable,
  PeopleTable,
  PersonCredentialsTable,
  PersonSessionsTable,
  ServerSettingsTable,
  SignInAttemptsTable,
  WelcomeLinksTable,
} from './schema/people.ts';
import type {
  BudgetSpendingTable,
  BudgetsTable,
  ReceiptKeysTable,
  StreamLeasesTable,
  UsageChainsTable,
  UsageDailyTable,
  UsageRecordsTable,
  UsageTagDailyTable,
  UsageTagsTable,
} from './schema/usage.ts';
import type { VoiceAuditTable, VoicePrintsTable } from './schema/voices.ts';

export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  vocabulary_terms: VocabularyTermsTable;
  vocabulary_uses: VocabularyUsesTable;
  access_version: AccessVersionTable;
  usage_records: UsageRecordsTable;
  /** Rows withdrawn from usage_records; their links stay in the chain. */
  usage_withdrawn: UsageRecordsTable;
  usage_chains: UsageChainsTable;
  receipt_keys: ReceiptKeysTable;
  budgets: BudgetsTable;
  budget_spending: BudgetSpendingTable;
  usage_daily: UsageDailyTable;
  usage_tags: UsageTagsTable;
  usage_tag_daily: UsageTagDailyTable;
  stream_leases: StreamLeasesTable;
  people: PeopleTable;
  person_sessions: PersonSessionsTable;
  person_credentials: PersonCredentialsTable;
  memberships: MembershipsTable;
  welcome_links: WelcomeLinksTable;
  sign_in_attempts: SignInAttemptsTable;
  server_settings: ServerSettingsTable;
  server_processes: ServerProcessesTable;
  idempotency_keys: IdempotencyKeysTable;
  jobs: JobsTable;
  job_audio: JobAudioTable;
  voice_prints: VoicePrintsTable;
  voice_audit: VoiceAuditTable;
}

export type Database = Kysely<Schema>;
export type DatabaseTransaction = Transaction<Schema>;
