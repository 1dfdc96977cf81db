// The fault for an edit that would overwrite someone else's change.
import { Fault } from './fault.ts';

export const changedMeanwhile = (now: string): Fault =>
  new Fault('CONFLICT', { message: `Someone else has changed this meanwhile. ${now} Your changes were not saved.` });
