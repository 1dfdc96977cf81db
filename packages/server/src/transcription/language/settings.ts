// Settings of language identification.
import { declareSettings, setting } from '../../config/setting.ts';
import { trueOrFalse } from '../../config/values.ts';

export const languageSettings = declareSettings({
  topic: 'What is kept',
  settings: {
    recentLanguages: setting(
      'FAIRCOPY_RECENT_LANGUAGES',
      trueOrFalse(false),
      "Keeps the languages of an account's last 20 recordings in memory and uses them as a hint for unclear speech.",
    ),
  },
});
