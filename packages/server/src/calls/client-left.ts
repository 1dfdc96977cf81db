// Thrown when the client disconnects before its response. Not a fault: nobody is left to receive one.

export class ClientLeft extends Error {
  constructor() {
    super('the client disconnected before the answer');
    this.name = 'ClientLeft';
  }
}
