// The answer to a file request as it leaves: what a retry is answered with again.

export interface FileAnswer {
  readonly contentType: string;
  /** Besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer that is kept for retries. */
export interface KeptAnswer extends FileAnswer {
  readonly requestId: string;
  /** Of the body that it answers. */
  readonly fingerprint: string;
}

export const answerBytes = ({ body, contentType, headers = {} }: FileAnswer): number =>
  2 * (body.length + contentType.length + JSON.stringify(headers).length);
