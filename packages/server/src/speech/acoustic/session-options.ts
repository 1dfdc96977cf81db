// Options for opening models in onnxruntime.
import type { InferenceSession } from 'onnxruntime-node';

/**
 * A decoder step is many small matrix products: a second thread saves at most a sixth of its time and costs 1.5 to 1.8
 * times the CPU.
 */
export const DECODER_THREADS = 1;

export const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  extra: {
    // Spinning threads would take cores from other processes.
    session: { intra_op: { allow_spinning: '0' } },
    // It would fuse sums and norms into an operator that takes three times as long.
    optimization: { disable_specified_optimizers: 'SkipLayerNormFusion' },
  },
});
