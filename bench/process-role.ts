// The role of a process of the service, by the folder of its script.

export type ProcessRole = 'server' | 'voice' | 'recognisers';

export const roleOf = (commandLine: string): ProcessRole => {
  if (commandLine.includes('/speech/pool/')) return 'recognisers';
  return commandLine.includes('/speech/vad/') ? 'voice' : 'server';
};
