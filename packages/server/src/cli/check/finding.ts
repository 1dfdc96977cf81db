// What a check found: in order, worth a look, or in the way.
export interface Finding {
  readonly what: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly says: string;
}
