// Errors as the console shows them.

/** Errors of the console's API and of the client have these fields; errors of the browser have neither. */
export type CodedError = Error & { readonly code?: unknown; readonly requestId?: unknown };

export const codeOf = ({ code }: CodedError): string | null => (typeof code === 'string' ? code : null);

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
