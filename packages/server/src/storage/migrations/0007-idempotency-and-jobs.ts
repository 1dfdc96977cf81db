// Adds server processes, idempotency keys, and jobs with their audio.
import type { Migration } from '../migrate.ts';

export const idempotencyAndJobs: Migration = {
  version: 7,
  name: 'idempotency and jobs',
  async up({ engine, schema }) {
    const bytes = engine === 'sqlite' ? 'blob' : 'bytea';

    await schema
      .createTable('server_processes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .execute();

    await schema
      .createTable('idempotency_keys')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('holder_id', 'text')
      .addColumn('fingerprint', 'text')
      .addColumn('answer', bytes)
      .addColumn('answer_bytes', 'integer', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('idempotency_keys_by_end').on('idempotency_keys').column('expires_at_ms').execute();

    await schema
      .createTable('jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('sealed_request', bytes, (column) => column.notNull())
      .addColumn('caller_public_key', bytes, (column) => column.notNull())
      .addColumn('audio_bytes', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('holder_id', 'text')
      .addColumn('due_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('started_at_ms', 'bigint')
      .addColumn('ended_at_ms', 'bigint')
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addColumn('error_code', 'text')
      .addColumn('error_message', 'text')
      .addColumn('sealed_result', bytes)
      .addColumn('idempotency_hash', 'text', (column) => column.unique())
      .addColumn('fingerprint', 'text')
      .addColumn('webhook_state', 'text')
      .addColumn('webhook_attempts', 'integer', (column) => column.notNull())
      .addColumn('webhook_due_at_ms', 'bigint')
      .addColumn('webhook_until_ms', 'bigint')
      .addColumn('webhook_fault', 'text')
      .addColumn('sealed_webhook', bytes)
      .execute();
    await schema.createIndex('jobs_of_account').on('jobs').columns(['account_id', 'id']).execute();
    await schema.createIndex('jobs_by_turn').on('jobs').columns(['state', 'account_id', 'due_at_ms', 'id']).execute();
    await schema.createIndex('jobs_by_end').on('jobs').column('expires_at_ms').execute();
    await schema.createIndex('jobs_by_webhook').on('jobs').columns(['webhook_state', 'webhook_due_at_ms']).execute();

    await schema
      .createTable('job_audio')
      .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('sealed', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('job_audio_pk', ['job_id', 'part'])
      .execute();
  },
};
