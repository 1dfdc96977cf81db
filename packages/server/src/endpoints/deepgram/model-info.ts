// The metadata of an answer: the tier in the format that Deepgram uses for its models, the audio, the speakers.
import { createHash } from 'node:crypto';
import type { ModelId } from '@faircopy/contract';
import type { TranscriptionOptions } from '../../calls/call.ts';
import type { TranscriptText } from '../../calls/transcript.ts';
import { VERSION } from '../../lib/process/version.ts';
import type { DeepgramOptions } from './parameters.ts';
import { uuidFrom } from './request-uuid.ts';

/** Constant per tier, so that clients can compare it. */
export const modelUuid = (tier: ModelId): string => uuidFrom(createHash('sha256').update(tier).digest('hex'));

export const modelInfo = (tier: ModelId) => ({ name: tier, version: VERSION, arch: 'faircopy' });

/** Describes the diarizer, if speakers were requested. */
export const diarizeInfo = ({ speakers }: Pick<TranscriptionOptions, 'speakers'>, uuid: string) =>
  speakers ? { diarize_info: { model_uuid: uuid, arch: 'faircopy' } } : {};

interface MetadataFacts {
  readonly requestUuid: string;
  readonly sha256: string;
  readonly durationSeconds: number;
  readonly channels: number;
}

export const metadataOf = (
  { requestUuid, sha256, durationSeconds, channels }: MetadataFacts,
  transcription: TranscriptionOptions,
  { extra, warnings }: Pick<DeepgramOptions, 'extra' | 'warnings'>,
) => {
  const { model, tags = [] } = transcription;
  const uuid = modelUuid(model);
  return {
    transaction_key: 'deprecated',
    request_id: requestUuid,
    sha256,
    created: new Date().toISOString(),
    duration: durationSeconds,
    channels,
    models: [uuid],
    model_info: { [uuid]: modelInfo(model) },
    ...diarizeInfo(transcription, uuid),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(warnings.length > 0 && { warnings }),
  };
};

interface Channel {
  readonly channel: number;
  readonly transcript: Pick<TranscriptText, 'speakers'>;
}

/** An extension: the names of each channel's speakers, if known voices were requested. */
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
