// Every fuzz target by its name.
import type { OpenTarget } from '../target.ts';
import { audioTargets } from './audio.ts';
import { demuxerTargets } from './demuxers.ts';
import { onnxTarget, tarballTarget } from './model-store.ts';
import { contentTypeTarget, multipartTarget } from './multipart.ts';
import { refinementTarget } from './refinement.ts';
import { controlMessageTarget, frameTarget, handshakeTarget } from './stream.ts';
import { deepgramTarget, realtimeTarget } from './vendors.ts';

export const FUZZ_TARGETS: ReadonlyMap<string, OpenTarget> = new Map([
  ...audioTargets(),
  ...demuxerTargets(),
  ['multipart', multipartTarget],
  ['content type', contentTypeTarget],
  ['handshake query', handshakeTarget],
  ['control message', controlMessageTarget],
  ['WebSocket frames', frameTarget],
  ['realtime events', realtimeTarget],
  ['Deepgram messages', deepgramTarget],
  ['npm tarball', tarballTarget],
  ['ONNX model', onnxTarget],
  ['refinement', refinementTarget],
]);
