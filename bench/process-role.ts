// Which part of the service a process is, told by the script that it runs.

export type ProcessRole = 'server' | 'voice' | 'recognisers';

export const roleOf = (commandLine: string): ProcessRole => {
  if (commandLine.includes('recogniser-entry')) return 'recognisers';
  return commandLine.includes('voice-entry') ? 'voice' : 'server';
};
