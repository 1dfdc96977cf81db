// The caller has disconnected before its answer. Not a fault: there is nobody to tell.

export class ClientLeft extends Error {
  constructor() {
    super('the client left before the answer');
    this.name = 'ClientLeft';
  }
}
