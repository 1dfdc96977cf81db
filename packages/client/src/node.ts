// Entry point for Node.
import { FaircopyClient } from './client.ts';
import type { FaircopyOptions } from './options.ts';
import { nodeTransport } from './transport/node.ts';

export * from './exports.ts';

export class Faircopy extends FaircopyClient {
  constructor(options: FaircopyOptions) {
    super(options, nodeTransport);
  }
}
