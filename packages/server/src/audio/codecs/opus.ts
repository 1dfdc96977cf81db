// Decodes Opus packets with libopus in WebAssembly, directly to the wanted rate.
import { OpusDecoder } from 'opus-decoder';
import { SAMPLE_RATE_HZ } from '../pcm.ts';
import { type OpusHead, opusPacketFrames } from './opus-packet.ts';
import type { PacketDecoder } from './packet-decoder.ts';

/** Size of the library's input buffer per channel: 120 ms at 256 kbit/s. */
const PACKET_BYTES_PER_CHANNEL = 3840;

export const openOpus = async (head: OpusHead): Promise<PacketDecoder> => {
  const decoder = new OpusDecoder({
    sampleRate: SAMPLE_RATE_HZ,
    channels: head.channels,
    streamCount: head.streamCount,
    coupledStreamCount: head.coupledStreamCount,
    channelMappingTable: [...head.channelMapping],
  });
  await decoder.ready;
  return {
    outputRateHz: SAMPLE_RATE_HZ,
    decode(data) {
      if (data.length > PACKET_BYTES_PER_CHANNEL * head.channels) throw new Error('the Opus packet is too large');
      if (opusPacketFrames(data) === 0) throw new Error('not an Opus packet');
      const { channelData, errors } = decoder.decodeFrame(data);
      if (errors.length > 0) throw new Error(errors[0]!.message);
      if (head.outputGain !== 1) {
        for (const samples of channelData) for (let at = 0; at < samples.length; at++) samples[at]! *= head.outputGain;
      }
      return channelData;
    },
    // Each decoder has its own WebAssembly memory, left to the garbage collector: after a damaged packet, freeing it
    // explicitly could fail.
    free: () => undefined,
  };
};
