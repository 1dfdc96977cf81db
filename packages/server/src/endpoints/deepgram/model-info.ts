// A tier as Deepgram describes its models.
import { createHash } from 'node:crypto';
import type { ModelId } from '@faircopy/contract';
import type { TranscriptionOptions } from '../../calls/call.ts';
import type { TranscriptText } from '../../calls/transcript.ts';
import { VERSION } from '../../lib/process/version.ts';

/** Constant per tier, so that clients can compare it. */
export const modelUuid = (tier: ModelId): string => {
  const hex = createHash('sha256').update(tier).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};

export const modelInfo = (tier: ModelId) => ({ name: tier, version: VERSION, arch: 'faircopy' });

/** What found the speakers, where they were asked for. */
export const diarizeInfo = ({ speakers }: Pick<TranscriptionOptions, 'speakers'>, uuid: string) =>
  speakers ? { diarize_info: { model_uuid: uuid, arch: 'faircopy' } } : {};

interface Channel {
  readonly channel: number;
  readonly transcript: Pick<TranscriptText, 'speakers'>;
}

/** An extension: who the speakers of each channel are, where known voices were asked for. */
export const speakerNames = (
  { speakers: asked }: Pick<TranscriptionOptions, 'speakers'>,
  channels: readonly Channel[],
) => {
  if (!asked?.knownVoices) return {};
  const namesIn = ({ channel, transcript }: Channel) =>
    (transcript.speakers?.speakers ?? []).map(({ speaker, name, isNameSure }) => ({
      channel,
      speaker,
      name,
      is_name_sure: isNameSure,
    }));
  return { speakers: channels.flatMap(namesIn) };
};
