// How every model is opened in onnxruntime.
import type { InferenceSession } from 'onnxruntime-node';

/** A decoder's step is many small products: a second thread saves a sixth of its time at best, for 1.5 to 1.8 times the CPU. */
export const DECODER_THREADS = 1;

export const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  // Waiting threads would burn the cores that other processes need.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
});
