// The fault for saving over somebody else's change.
import { Fault } from './fault.ts';

export const changedMeanwhile = (now: string): Fault =>
  new Fault('CONFLICT', { message: `Someone else has changed this meanwhile. ${now} Nothing of yours was saved.` });
