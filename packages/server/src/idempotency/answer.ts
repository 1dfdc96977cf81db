// The response to a file request, as it is kept for retries.

export interface FileAnswer {
  readonly contentType: string;
  /** Without the headers that every response has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface KeptAnswer extends FileAnswer {
  readonly requestId: string;
  /** The fingerprint of the request body. */
  readonly fingerprint: string;
}

export const answerBytes = ({ body, contentType, headers = {} }: FileAnswer): number =>
  2 * (body.length + contentType.length + JSON.stringify(headers).length);
