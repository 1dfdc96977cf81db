// A WebSocket that reports protocol violations and the peer's close to its owner.
import { WebSocket } from 'ws';

export class StreamSocket extends WebSocket {
  /** Called with the matching close code. The owner closes the socket. */
  onViolation: ((closeCode: number) => void) | undefined;
  /** Called when the peer starts the closing handshake. */
  onLeaving: (() => void) | undefined;

  /** Closes the socket from this side. */
  closeWith(code: number, reason: string): void {
    super.close(code, reason);
  }

  /**
   * Called by the receiver of `ws`: with only a code when a frame is too big, not masked, compressed or not UTF-8,
   * otherwise to echo the close of the peer.
   */
  override close(code?: number, reason?: string | Buffer): void {
    if (code !== undefined && reason === undefined && this.readyState === WebSocket.OPEN && this.onViolation) {
      this.onViolation(code);
      return;
    }
    super.close(code, reason);
    this.onLeaving?.();
  }
}
