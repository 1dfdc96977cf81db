// Settings of budgets.
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { optionalUrl } from '../config/values.ts';

export const usageSettings = declareSettings({
  topic: 'Limits and time-outs',
  settings: {
    budgetWebhookUrl: setting(
      'FAIRCOPY_BUDGET_WEBHOOK_URL',
      optionalUrl(/^https$/, 'https://hooks.example.org/budgets'),
      'Webhook for budgets that are nearly or wholly used up; https and public.',
    ),
  },
});

export type UsageSettings = SettingValues<typeof usageSettings>;
