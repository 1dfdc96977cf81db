// The error format of each path: the contract's, or a vendor's on the vendor's paths.
import type { Fault } from '../../lib/fault.ts';
import { errorBody, errorHeaders } from './error-response.ts';

export interface ErrorFormat {
  body(fault: Fault, requestId: string): object;
  headers(fault: Fault, requestId: string): Record<string, string>;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly errorFormats: ErrorFormats;
  }
}

const CONTRACT: ErrorFormat = { body: errorBody, headers: errorHeaders };

export class ErrorFormats {
  readonly #byPath = new Map<string, ErrorFormat>();

  /** Applies to this path and all paths below it. */
  add(path: string, format: ErrorFormat): void {
    this.#byPath.set(path, format);
  }

  of(url: string): ErrorFormat {
    const path = url.split('?', 1)[0]!;
    for (const [begin, format] of this.#byPath) if (path === begin || path.startsWith(`${begin}/`)) return format;
    return CONTRACT;
  }
}
