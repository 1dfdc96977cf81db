// Version compatibility: adjacent minor versions work together, so that a cluster can be upgraded machine by machine.

const parts = (version: string): readonly [number, number] | null => {
  const match = /^(\d{1,6})\.(\d{1,6})\.\d/.exec(version);
  return match === null ? null : [Number(match[1]), Number(match[2])];
};

/** Cache of the last check, which runs for every message and nearly always on the same two versions. */
let last = { ours: '', theirs: '', areCompatible: false };

export const isCompatible = (ours: string, theirs: string): boolean => {
  if (ours === last.ours && theirs === last.theirs) return last.areCompatible;
  const [our, their] = [parts(ours), parts(theirs)];
  const areCompatible = our !== null && their !== null && our[0] === their[0] && Math.abs(our[1] - their[1]) <= 1;
  last = { ours, theirs, areCompatible };
  return areCompatible;
};
