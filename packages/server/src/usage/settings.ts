// Settings of budgets and prices.
import { MODEL_IDS, type Prices } from '@faircopy/contract';
import { z } from 'zod';
import { declareSettings, setting } from '../config/setting.ts';
import { optionalUrl } from '../config/values.ts';

const PRICES_HELP = `must be like "EUR 0.40" or "EUR ${MODEL_IDS[0]}=0.20 ${MODEL_IDS[2]}=0.60"`;

/** `EUR 0.40` for every model, or `EUR svc-1.0-lite=0.20 svc-1.0-max=0.60`. */
const pricesIn = (text: string): Prices | null => {
  const [currency = '', ...parts] = text.trim().split(/\s+/);
  const prices = parts.map((part) => /^(?:([\w.-]+)=)?(\d{1,9}(?:\.\d{1,6})?)$/.exec(part));
  const isKnown = (model: string | undefined) => model === undefined || MODEL_IDS.some((id) => id === model);
  if (!/^[A-Z]{3}$/.test(currency) || prices.length === 0) return null;
  if (!prices.every((price) => price && isKnown(price[1]))) return null;
  const perHour = prices.flatMap((price) =>
    (price?.[1] ? [price[1]] : MODEL_IDS).map((model) => [model, Number(price?.[2])] as const),
  );
  return { currency, per_hour: Object.fromEntries(perHour) };
};

export const usageSettings = declareSettings({
  topic: 'Limits and time-outs',
  settings: {
    budgetWebhookUrl: setting(
      'FAIRCOPY_BUDGET_WEBHOOK_URL',
      optionalUrl(/^https$/, 'https://hooks.example.org/budgets'),
      'Webhook that is called when a budget is nearly or fully used; a public https address.',
    ),
    prices: setting(
      'FAIRCOPY_PRICES',
      z
        .string()
        .transform((text, context): Prices => {
          const prices = pricesIn(text);
          if (prices) return prices;
          context.addIssue({ code: 'custom', message: PRICES_HELP });
          return z.NEVER;
        })
        .optional(),
      'What an hour of billed audio costs, such as `EUR 0.40` or `EUR svc-1.0-lite=0.20 svc-1.0-max=0.60`. The console shows amounts.',
    ),
  },
});
