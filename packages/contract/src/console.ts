// The API of the web console under /console/api. Not part of the public interface.
import { z } from 'zod';
import { keyRules } from './key-rules.ts';
import { modelId } from './models.ts';
import { prices } from './usage/prices.ts';
import { TAG_CHARACTERS_MAX } from './usage/tags.ts';
import { usageRecord, usageStatus } from './usage/usage-record.ts';
import { isoTime } from './values/ids.ts';

/** Owners manage members and all keys; members create keys and see usage. */
export const memberRole = z.enum(['owner', 'member']);
export type MemberRole = z.infer<typeof memberRole>;

export const me = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string(), is_administrator: z.boolean() }),
  accounts: z.array(z.object({ id: z.string(), name: z.string(), role: memberRole, since: isoTime })),
  server: z.object({
    version: z.string(),
    models: z.array(modelId),
    oidc: z.string().nullable(),
    /** The formats that POST /v1/transcribe accepts: the contract's three, or all. */
    file_formats: z.enum(['contract', 'all']),
    /** Limits of files in the playground. */
    file_mb_max: z.number(),
    file_seconds_max: z.number(),
    /** Whether the server can send e-mail. */
    mail: z.boolean(),
    /** Whether the server counts how often vocabulary terms are written. */
    counts_vocabulary: z.boolean(),
    /** Whether people can be enrolled so that transcripts name them as speakers. */
    known_voices: z.boolean(),
    /** Null unless the operator has set prices. */
    prices: prices.nullable(),
    /** Limits of jobs; null if jobs are disabled. */
    jobs: z.object({ file_mb_max: z.number(), file_seconds_max: z.number(), keep_hours: z.number() }).nullable(),
  }),
});
export type Me = z.infer<typeof me>;

/** What a first-run or invitation link is for. */
export const welcome = z.object({
  purpose: z.enum(['first_administrator', 'invitation']),
  account_name: z.string().nullable(),
  email: z.string().nullable(),
  expires_at: isoTime.nullable(),
});
export type Welcome = z.infer<typeof welcome>;

export const acceptWelcome = z.object({
  name: z.string().trim().min(1).max(200),
  email: z.email().max(320),
  password: z.string().min(10).max(256),
});
export type AcceptWelcome = z.infer<typeof acceptWelcome>;

/** The answer when someone who is already signed in accepts an invitation. */
export const joined = z.object({ account_id: z.string() });

/** Whose password a reset link is for. */
export const passwordReset = z.object({ email: z.string() });
export const newPassword = z.object({ password: z.string().min(10).max(256) });
export const forgottenPassword = z.object({ email: z.email().max(320) });

export const keyRecord = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key, to recognise it by. */
  prefix: z.string(),
  created_at: isoTime,
  created_by: z.string().nullable(),
  /** Whether the caller created it. */
  is_own: z.boolean(),
  expires_at: isoTime.nullable(),
  revoked_at: isoTime.nullable(),
  last_used_at: isoTime.nullable(),
  rules: keyRules,
});
export type KeyRecord = z.infer<typeof keyRecord>;

export const createKey = z.object({
  name: z.string().trim().min(1).max(200),
  expires_at: isoTime.nullable().default(null),
  rules: keyRules.optional(),
});
export const changeKey = z.object({ rules: keyRules });
export const createdKey = z.object({ key: z.string(), record: keyRecord });
export type CreatedKey = z.infer<typeof createdKey>;

/** A short-lived key with which the playground calls the public API. */
export const playgroundKey = z.object({ key: z.string(), expires_at: isoTime });
export type PlaygroundKey = z.infer<typeof playgroundKey>;

export const usageQuery = z.object({
  since: isoTime.optional(),
  until: isoTime.optional(),
  model: modelId.optional(),
  key_id: z.string().optional(),
  status: usageStatus.optional(),
  mode: z.enum(['file', 'stream']).optional(),
  tag: z.string().max(TAG_CHARACTERS_MAX).optional(),
});
export type UsageQuery = z.infer<typeof usageQuery>;

const tally = z.object({
  requests: z.number().int(),
  errors: z.number().int(),
  /** Includes `failed_audio_seconds`. */
  audio_seconds: z.number(),
  /** Audio of failed requests. */
  failed_audio_seconds: z.number(),
  billed_seconds: z.number(),
  /** In the currency of the server's prices; null without a price. */
  cost: z.number().nullable(),
});
export const usageSummary = z.object({
  total: tally,
  days: z.array(tally.extend({ day: z.string() })),
  models: z.array(tally.extend({ model: modelId.nullable() })),
  keys: z.array(tally.extend({ key_id: z.string().nullable(), key_name: z.string().nullable() })),
  statuses: z.array(z.object({ status: usageStatus, requests: z.number().int() })),
});
export type UsageSummary = z.infer<typeof usageSummary>;

export const usagePage = z.object({ records: z.array(usageRecord), next_cursor: z.string().nullable() });
export type UsagePage = z.infer<typeof usagePage>;

/** The key id under which all playground keys are reported together. */
export const PLAYGROUND_KEYS = 'playground';

/** Sums for invoices: one row per period, account and key. */
export const usageTotalsQuery = z.object({
  period: z.enum(['day', 'month']).default('month'),
  since: isoTime.optional(),
  until: isoTime.optional(),
  tag: z.string().max(TAG_CHARACTERS_MAX).optional(),
});
export const usageTotal = tally.extend({
  /** YYYY-MM-DD or YYYY-MM, UTC. */
  period: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  output_token_count: z.number().int(),
});
export type UsageTotal = z.infer<typeof usageTotal>;

export const accountLimits = z.object({
  max_streams: z.number().int().min(0).max(100_000).nullable(),
  max_duration_seconds: z.number().int().min(1).max(86_400).nullable(),
  max_uploads: z.number().int().min(0).max(100_000).nullable(),
  max_waiting_seconds: z.number().int().min(1).max(604_800).nullable(),
});

const budgetSeconds = z.number().int().min(0).max(3_000_000_000).nullable();

const budgetTerms = z.object({
  day_seconds: budgetSeconds,
  month_seconds: budgetSeconds,
  warn_percent: z.number().int().min(0).max(100).default(80),
  stops: z.boolean(),
});
/** Null for the whole account. */
const budgetKey = { key_id: z.string().nullable() };

/** Sets a budget. With both `day_seconds` and `month_seconds` null, removes it. */
export const setBudget = budgetTerms.extend({
  ...budgetKey,
  /** The budget that the caller saw; null if there was none. If it has changed since, the answer is CONFLICT. */
  before: budgetTerms.nullable().optional(),
});

export const budgetRecord = budgetTerms.extend({
  ...budgetKey,
  spent_day_seconds: z.number(),
  spent_month_seconds: z.number(),
  state: z.enum(['open', 'warning', 'used_up', 'stopped']),
});
export type BudgetRecord = z.infer<typeof budgetRecord>;

export const member = z.object({
  person_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: memberRole,
  since: isoTime,
});
export const invitation = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role: memberRole,
  created_at: isoTime,
  expires_at: isoTime,
});
export const createInvitation = z.object({ email: z.email().max(320).nullable(), role: memberRole });
/** `sent`: whether the link was also sent by e-mail. */
export const createdInvitation = z.object({ invitation, link: z.string(), sent: z.boolean() });

/** How often a vocabulary term was used in the last 30 days. */
export const termUse = z.object({
  term: z.string(),
  written: z.number().int(),
  /** How often refinement corrected a near miss to this term. */
  mended: z.number().int(),
  last_day: z.string(),
});
/** `before` is the value the caller saw. If it has changed since, the answer is CONFLICT. */
export const renameAccount = z.object({ name: z.string().trim().min(1).max(200), before: z.string() });
/** The languages that the account's requests may be in; empty means any. */
export const changeLanguages = z.object({ languages: z.array(z.string().max(40)).max(100) });
export const changeVocabulary = z.object({ terms: z.array(z.string()), before: z.array(z.string()).optional() });
/** Reports that a person rejected this term in a transcript. */
export const falseAlarm = z.object({ term: z.string().max(200) });
export const falseAlarms = z.object({ term: z.string(), count: z.number().int() });
export const changeRole = z.object({ role: memberRole });

export const accountDetail = z.object({
  id: z.string(),
  name: z.string(),
  created_at: isoTime,
  closed_at: isoTime.nullable(),
  /** The caller's role; null for an administrator who is not a member. */
  role: memberRole.nullable(),
  /** Null means the server's default. */
  limits: accountLimits,
  effective_limits: z.object({
    max_streams: z.number(),
    max_duration_seconds: z.number(),
    max_uploads: z.number(),
    max_waiting_seconds: z.number(),
  }),
  open_streams: z.number().int(),
  /** The languages that its requests may be in; empty means any. */
  languages: z.array(z.string()),
  /** Redactions that apply to all its requests. */
  redact: z.array(z.string()),
  members: z.array(member),
  invitations: z.array(invitation),
  vocabulary: z.array(z.string()),
  vocabulary_uses: z.array(termUse),
  /** How often people rejected a term in a transcript. */
  false_alarms: z.array(falseAlarms),
});
export type AccountDetail = z.infer<typeof accountDetail>;

export const accountSummary = z.object({
  id: z.string(),
  name: z.string(),
  created_at: isoTime,
  closed_at: isoTime.nullable(),
  limits: accountLimits,
  keys: z.number().int(),
  members: z.number().int(),
  billed_seconds_30d: z.number(),
});
export type AccountSummary = z.infer<typeof accountSummary>;

export const serverPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  is_administrator: z.boolean(),
  accounts: z.array(z.string()),
});
export type ServerPerson = z.infer<typeof serverPerson>;
export const changePerson = z.object({ is_administrator: z.boolean() });
export const resetLink = z.object({ link: z.string(), expires_at: isoTime, sent: z.boolean() });

export const serverStatus = z.object({
  version: z.string(),
  node: z.string(),
  started_at: isoTime,
  ready: z.boolean(),
  database: z.enum(['sqlite', 'postgresql']),
  queue: z.object({
    waiting_windows: z.number().int(),
    waiting_audio_seconds: z.number(),
    sessions: z.number().int(),
    busy_slots: z.number().int(),
    slots: z.number().int(),
  }),
  recognisers: z.array(
    z.object({
      pid: z.number().int().nullable(),
      state: z.string(),
      jobs_done: z.number().int(),
      restarts: z.number().int(),
      rss_bytes: z.number().nullable(),
    }),
  ),
  models: z.array(z.object({ id: z.string(), bytes: z.number(), tiers: z.array(modelId) })),
  rss_bytes: z.number(),
  event_loop_lag_ms: z.number(),
});
export type ServerStatus = z.infer<typeof serverStatus>;
