// The error for exports that the compiler does not support.
export class UnknownGraph extends Error {
  constructor(what: string) {
    super(`The model's graph is not supported: ${what}.`);
    this.name = 'UnknownGraph';
  }
}
