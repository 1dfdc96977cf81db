// The parts that can be killed while the server runs.

export const SERVER_PARTS = [
  'recogniser',
  'voice process',
  'decoding thread',
  'text thread',
  'database thread',
] as const;
export type ServerPart = (typeof SERVER_PARTS)[number];

export const DATABASE_PARTS = ['database connections', 'database backend', 'database server'] as const;
export type DatabasePart = (typeof DATABASE_PARTS)[number];
