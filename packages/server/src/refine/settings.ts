// Settings of the optional language-model pass of refinement.
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { optionalText, optionalUrl, text } from '../config/values.ts';

export const refineSettings = declareSettings({
  topic: 'Language model for refinement',
  settings: {
    refinerUrl: setting(
      'FAIRCOPY_REFINER_URL',
      optionalUrl(/^https?$/, 'http://localhost:8000/v1'),
      'OpenAI-compatible chat endpoint (…/v1) for the optional language-model pass. It may take a third of FAIRCOPY_REFINEMENT_TIMEOUT_MS; after that, the rule-based text is returned.',
    ),
    refinerModel: setting('FAIRCOPY_REFINER_MODEL', text('default'), 'Name of the model at that endpoint.'),
    refinerApiKey: setting('FAIRCOPY_REFINER_API_KEY', optionalText(), 'API key for that endpoint, if it needs one.', {
      secret: true,
    }),
  },
  dropped: {
    FAIRCOPY_REFINER_TIMEOUT_MS: 'it is a third of FAIRCOPY_REFINEMENT_TIMEOUT_MS',
  },
});

export type RefineSettings = SettingValues<typeof refineSettings>;
