// The Wyoming protocol as a module of the server: its settings, and a TCP listener if its port is set.
import type { WyomingServer, WyomingServerParts } from './server.ts';
import { wyomingSettings } from './settings.ts';

export const wyoming = {
  settings: wyomingSettings,
  modelAliases: [],
  open: async (parts: WyomingServerParts): Promise<WyomingServer | null> => {
    if (parts.config.wyomingAddress === undefined) return null;
    const { WyomingServer } = await import('./server.ts');
    return new WyomingServer(parts);
  },
};
