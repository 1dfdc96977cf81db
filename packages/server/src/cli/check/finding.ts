// The result of one check.
export interface Finding {
  readonly what: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly says: string;
}
