// The form of POST /v1/jobs: that of file mode, and where to send the result.
import type { ModelId } from '@faircopy/contract';
import type { JobRequest } from '../../jobs/job.ts';
import { checkReceiver, type ReceiverRules } from '../../jobs/webhooks/webhook-request.ts';
import { Fault } from '../../lib/fault.ts';
import { AddressRefused } from '../../lib/net/public-address.ts';
import type { FormFields, FormShape } from '../../transport/http/upload/upload-form.ts';
import { readTranscribeRequest, TRANSCRIBE_FORM } from '../native/transcribe-form.ts';

export const jobForm = (fileBytesMax: number): FormShape => ({
  ...TRANSCRIBE_FORM,
  fileBytesMax,
  field: (partName) => (partName === 'webhook' ? { name: 'webhook' } : TRANSCRIBE_FORM.field(partName)),
});

/** What the fields ask for. The address of a webhook is looked up: one that leads inside is refused at once. */
export const readJobRequest = async (
  fields: FormFields,
  loaded: readonly ModelId[],
  rules: ReceiverRules,
  accountId: string,
): Promise<JobRequest> => {
  const { transcription, include } = readTranscribeRequest(fields);
  if (!loaded.includes(transcription.model))
    throw new Fault('SERVICE_UNAVAILABLE', {
      message: `The model ${transcription.model} is not loaded on this server.`,
    });
  const webhookUrl = fields.get('webhook') || null;
  if (webhookUrl !== null) await checked(webhookUrl, rules, accountId);
  return { transcription, include: [...include], webhookUrl };
};

const checked = async (webhookUrl: string, rules: ReceiverRules, accountId: string): Promise<void> => {
  try {
    await checkReceiver(webhookUrl, rules, accountId);
  } catch (thrown) {
    if (!(thrown instanceof AddressRefused)) throw thrown;
    throw new Fault('INVALID_REQUEST', {
      message: `The field "webhook" is refused. ${thrown.message}`,
      parameter: 'webhook',
    });
  }
};
