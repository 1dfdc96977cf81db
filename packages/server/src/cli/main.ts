// The command table. Each command lives in its own file and is loaded only when it is called for.
import '../lib/process/no-telemetry.ts';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../lib/process/version.ts';
import { type AddCommand, EXIT } from './command.ts';
import { addAccounts } from './commands/accounts.ts';
import { addAdministrators } from './commands/administrators.ts';
import { addBackup } from './commands/backup.ts';
import { addBudgets } from './commands/budgets.ts';
import { addCheck } from './commands/check.ts';
import { addDoctor } from './commands/doctor.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addMembers } from './commands/members.ts';
import { addModels } from './commands/models.ts';
import { addReceipts } from './commands/receipts.ts';
import { addRefine } from './commands/refine.ts';
import { addServe } from './commands/serve.ts';
import { addTranscribe } from './commands/transcribe.ts';
import { addUsage } from './commands/usage.ts';
import { addWorker } from './commands/worker.ts';

const commands: readonly AddCommand[] = [
  addServe,
  addWorker,
  addKeys,
  addAccounts,
  addMembers,
  addAdministrators,
  addUsage,
  addReceipts,
  addBudgets,
  addJobs,
  addModels,
  addBackup,
  addRefine,
  addTranscribe,
  addListen,
  addCheck,
  addDoctor,
];

const program = new Command('faircopy')
  .description('Speech transcription that anyone can run: it listens, then writes the fair copy.')
  .version(VERSION)
  .showHelpAfterError('(add --help for what this command takes)')
  .exitOverride();
for (const add of commands) add(program);

// A reader that has gone, as `head` does, is told to whoever printed; unheard, the event would end us with a stack.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
try {
  await program.parseAsync();
} catch (thrown) {
  // Commander has said what is wrong; asking for help or the version is no mistake.
  if (!(thrown instanceof CommanderError)) throw thrown;
  process.exitCode = thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
