// Opens a graph in onnxruntime.
import '../../lib/process/no-telemetry.ts';
import { InferenceSession } from 'onnxruntime-node';
import { sessionOptions } from './session-options.ts';

export const openSession = (path: string, threads: number): Promise<InferenceSession> =>
  InferenceSession.create(path, sessionOptions(threads));
