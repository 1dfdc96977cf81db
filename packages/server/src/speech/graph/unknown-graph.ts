// What preparation says of a graph that it does not know.
/** The graph is not the kind of export that preparation knows. */
export class UnknownGraph extends Error {
  constructor(what: string) {
    super(`The model's graph is not the one expected: ${what}.`);
    this.name = 'UnknownGraph';
  }
}
