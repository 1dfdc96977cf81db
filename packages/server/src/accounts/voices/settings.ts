// Settings of known voices.
import { z } from 'zod';
import { declareSettings, setting } from '../../config/setting.ts';
import { wholeNumber } from '../../config/values.ts';

export const voiceSettings = declareSettings({
  topic: 'Known voices',
  settings: {
    voicesSecret: setting(
      'FAIRCOPY_VOICES_SECRET',
      z.string().min(32, 'must have at least 32 characters').optional(),
      'Turns known voices on: secret that encrypts voice prints; the same on all servers that share a database.',
      { secret: true },
    ),
    voicesAuditDays: setting(
      'FAIRCOPY_VOICES_AUDIT_DAYS',
      wholeNumber(365, 1, 3_650),
      'Days after which entries about the enrolment, use and deletion of voices are deleted.',
    ),
  },
});
