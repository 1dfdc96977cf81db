// Frees the memory of tensors at once. As garbage it would count towards V8's limit for external memory: after every
// 64 MB, which is one window, V8 marked the whole heap, which took an eighth of a recogniser's CPU.
import { MessageChannel } from 'node:worker_threads';
import type { Tensor } from 'onnxruntime-node';

const { port1: nobody, port2 } = new MessageChannel();
port2.close();

/** The tensors, and others that share their memory, become empty. */
export const freeTensors = (tensors: Iterable<Pick<Tensor, 'data'>>): void => {
  const buffers = new Set<ArrayBuffer>();
  for (const { data } of tensors) {
    const { buffer } = data as Float32Array<ArrayBuffer>;
    if (buffer.byteLength > 0) buffers.add(buffer);
  }
  // Transferred memory has no owner here, and a closed port drops its messages.
  if (buffers.size > 0) nobody.postMessage(null, [...buffers]);
};

/** Tensors that are freed together. */
export class TensorsInUse {
  #tensors: Tensor[] = [];

  add(tensors: Readonly<Record<string, Tensor>>): void {
    this.#tensors.push(...Object.values(tensors));
  }

  free(): void {
    freeTensors(this.#tensors);
    this.#tensors = [];
  }
}
