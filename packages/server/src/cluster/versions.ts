// Which versions are compatible: adjacent minor versions, so that a cluster can be upgraded machine by machine.

const parts = (version: string): readonly [number, number] | null => {
  const match = /^(\d{1,6})\.(\d{1,6})\.\d/.exec(version);
  return match === null ? null : [Number(match[1]), Number(match[2])];
};

export const isCompatible = (ours: string, theirs: string): boolean => {
  const our = parts(ours);
  // Asked for every message, and nearly always so.
  const their = theirs === ours ? our : parts(theirs);
  return our !== null && their !== null && our[0] === their[0] && Math.abs(our[1] - their[1]) <= 1;
};
