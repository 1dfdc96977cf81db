// Opens graphs in onnxruntime, on the device of this process; falls back to the CPU with a notice.
import '../../lib/process/no-telemetry.ts';
import { InferenceSession, listSupportedBackends } from 'onnxruntime-node';
import { sessionOptions } from './session-options.ts';

/** Execution providers of onnxruntime. */
export const EXECUTIONS = ['cpu', 'cuda', 'coreml', 'dml'] as const;
export type Execution = (typeof EXECUTIONS)[number];

export type OnNotice = (text: string) => void;

/** The runtime's messages may be long. */
const REASON_CHARS_MAX = 200;

/** Shared by the whole process: a recogniser process does nothing but inference. */
let device: { execution: Execution; onNotice: OnNotice } = { execution: 'cpu', onNotice: () => undefined };

export const useExecution = (execution: Execution, onNotice: OnNotice): void => {
  device = { execution, onNotice };
  const offered = listSupportedBackends().map(({ name }) => name);
  if (!offered.includes(execution)) fallBack(`the installed onnxruntime supports only ${offered.join(', ')}`);
};

const fallBack = (why: string): void => {
  const { execution, onNotice } = device;
  device = { execution: 'cpu', onNotice };
  onNotice(`FAIRCOPY_EXECUTION=${execution} cannot be used; models run on the CPU: ${why.slice(0, REASON_CHARS_MAX)}`);
};

export const openSession = async (model: string | Uint8Array, threads: number): Promise<InferenceSession> => {
  // `create` has separate overloads for a path and for bytes.
  const create = (options: InferenceSession.SessionOptions) =>
    typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
  const options = sessionOptions(threads);
  if (device.execution !== 'cpu') {
    try {
      return await create({ ...options, executionProviders: [device.execution, 'cpu'] });
    } catch (thrown) {
      fallBack(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  return create(options);
};
