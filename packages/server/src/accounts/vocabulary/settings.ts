// Settings of vocabularies.
import { declareSettings, setting } from '../../config/setting.ts';
import { trueOrFalse } from '../../config/values.ts';

export const vocabularySettings = declareSettings({
  topic: 'What is kept',
  settings: {
    vocabularyCounts: setting(
      'FAIRCOPY_VOCABULARY_COUNTS',
      trueOrFalse(true),
      'Counts, for 90 days, how often each vocabulary term was written per day. With false, existing counts are deleted at the next start.',
    ),
  },
});
