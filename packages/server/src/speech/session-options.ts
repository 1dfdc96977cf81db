// How every model is opened in onnxruntime.
import type { InferenceSession } from 'onnxruntime-node';

export const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  // Waiting threads would burn the cores that other processes need.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
});
