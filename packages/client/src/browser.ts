// Entry point for browsers.
import { FaircopyClient } from './client.ts';
import type { FaircopyOptions } from './options.ts';
import { browserTransport } from './transport/browser.ts';

export * from './exports.ts';

export class Faircopy extends FaircopyClient {
  constructor(options: FaircopyOptions) {
    super(options, browserTransport);
  }
}
