// The `faircopy` command: loads the code of the command that is called, and nothing else.
import '../lib/process/no-telemetry.ts';
import { Command, CommanderError } from 'commander';
import { BUILD } from '../lib/process/version.ts';
import { EXIT } from './command.ts';
import { COMMANDS } from './command-table.ts';

const program = new Command('faircopy')
  .description('Speech transcription that anyone can run: it listens, then writes the fair copy.')
  .version(BUILD)
  .showHelpAfterError('(--help shows the arguments of this command)')
  .exitOverride();

const [first, second] = process.argv.slice(2);
const called = first === 'help' ? second : first;
for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
  const command = program.command(name).description(summary);
  if (name === called) (await load())(command);
}

// A reader that leaves early, such as `head`, is handled where the output is written. Without a listener, the event
// would end the process with a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
try {
  await program.parseAsync();
} catch (thrown) {
  // Commander has printed what is wrong. It also throws after --help and --version.
  if (!(thrown instanceof CommanderError)) throw thrown;
  process.exitCode = thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
