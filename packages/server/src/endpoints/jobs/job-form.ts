// The form of POST /v1/jobs: the form of POST /v1/transcribe plus the webhook that receives the result.
import type { ModelId } from '@faircopy/contract';
import type { JobRequest } from '../../jobs/job.ts';
import { checkReceiver, type ReceiverRules } from '../../jobs/webhooks/webhook-request.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { AddressRefused } from '../../lib/net/public-address.ts';
import type { FormShape } from '../../transport/http/upload/upload-form.ts';
import { TRANSCRIBE_FORM, type TranscribeValues, transcribeRequestOf } from '../native/file/form.ts';

export interface JobValues extends TranscribeValues {
  readonly webhookUrl: string | null;
}

export const jobForm = (fileBytesMax: number): FormShape<JobValues> => ({
  ...TRANSCRIBE_FORM,
  fileBytesMax,
  initial: { ...TRANSCRIBE_FORM.initial, webhookUrl: null },
  field: (partName) =>
    partName === 'webhook'
      ? { name: 'webhook', parse: (text) => ({ webhookUrl: text || null }) }
      : TRANSCRIBE_FORM.field(partName),
});

/** Resolves the webhook's host, so that an address inside the network is refused at once. */
export const readJobRequest = async (
  values: JobValues,
  loaded: readonly ModelId[],
  rules: ReceiverRules,
  accountId: string,
): Promise<JobRequest> => {
  const { transcription, include, split } = transcribeRequestOf(values);
  if (!loaded.includes(transcription.model))
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: `The model ${transcription.model} is not loaded on this server.`,
    });
  const { webhookUrl } = values;
  if (webhookUrl !== null) await checkWebhook(webhookUrl, rules, accountId);
  return { transcription, include: [...include], split, webhookUrl };
};

const checkWebhook = async (webhookUrl: string, rules: ReceiverRules, accountId: string): Promise<void> => {
  try {
    await checkReceiver(webhookUrl, rules, accountId);
  } catch (thrown) {
    if (!(thrown instanceof AddressRefused)) throw thrown;
    throw invalidRequest(`The field "webhook" is refused. ${thrown.message}`, 'webhook');
  }
};
