// Every command: its name, its summary for --help, and how its code is loaded when it is called.
import type { ConfigureCommand } from './command.ts';

export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<ConfigureCommand>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'run the server: files, streams, console',
    load: async () => (await import('./commands/serve.ts')).configureServe,
  },
  worker: {
    summary: 'recognise speech for the gateways at NATS_URL; needs no database',
    load: async () => (await import('./commands/worker.ts')).configureWorker,
  },
  keys: {
    summary: 'API keys',
    load: async () => (await import('./commands/keys.ts')).configureKeys,
  },
  accounts: {
    summary: 'accounts and their limits',
    load: async () => (await import('./commands/accounts.ts')).configureAccounts,
  },
  members: {
    summary: 'people who use an account in the console',
    load: async () => (await import('./commands/members.ts')).configureMembers,
  },
  administrators: {
    summary: 'people who administer the server',
    load: async () => (await import('./commands/administrators.ts')).configureAdministrators,
  },
  usage: {
    summary: "usage records of an account's requests, newest first",
    load: async () => (await import('./commands/usage.ts')).configureUsage,
  },
  receipts: {
    summary: 'signed receipts of the usage ledger',
    load: async () => (await import('./commands/receipts.ts')).configureReceipts,
  },
  budgets: {
    summary: 'seconds that an account or a key may use',
    load: async () => (await import('./commands/budgets.ts')).configureBudgets,
  },
  jobs: {
    summary: 'files to transcribe later',
    load: async () => (await import('./commands/jobs.ts')).configureJobs,
  },
  voices: {
    summary: 'enrolled voices on a running server',
    load: async () => (await import('./commands/voices.ts')).configureVoices,
  },
  models: {
    summary: 'speech models on this machine',
    load: async () => (await import('./commands/models.ts')).configureModels,
  },
  backup: {
    summary: 'copy the SQLite database to a file, even while the server runs, and check the copy',
    load: async () => (await import('./commands/backup.ts')).configureBackup,
  },
  restore: {
    summary: 'restore the SQLite database from a backup; a running server uses it after its next start',
    load: async () => (await import('./commands/backup.ts')).configureRestore,
  },
  refine: {
    summary: 'refine a raw transcript from standard input',
    load: async () => (await import('./commands/refine.ts')).configureRefine,
  },
  transcribe: {
    summary: 'transcribe recordings (wav, ogg, webm, mp3, m4a, mp4, flac, aac, aiff) with a running server',
    load: async () => (await import('./commands/transcribe.ts')).configureTranscribe,
  },
  watch: {
    summary: 'transcribe the recordings that appear in a folder or a bucket, with a running server',
    load: async () => (await import('./commands/watch.ts')).configureWatch,
  },
  mcp: {
    summary: 'serve transcription as tools of the Model Context Protocol, over standard input and output',
    load: async () => (await import('./commands/mcp.ts')).configureMcp,
  },
  listen: {
    summary: 'stream the microphone, or raw pcm16 or wav from a pipe, and print the transcript',
    load: async () => (await import('./commands/listen.ts')).configureListen,
  },
  check: {
    summary: 'show the configuration, and whether this machine can run it',
    load: async () => (await import('./commands/check.ts')).configureCheck,
  },
  doctor: {
    summary: 'measure how much audio and how many live streams this machine can handle',
    load: async () => (await import('./commands/doctor.ts')).configureDoctor,
  },
};
