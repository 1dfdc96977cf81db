// A WebSocket that tells its owner when the peer breaks the protocol or closes, before it acts on either itself.
import { WebSocket } from 'ws';

export class StreamSocket extends WebSocket {
  /** Called with the close code that fits; the owner closes. */
  onViolation: ((closeCode: number) => void) | undefined;
  /** Called when the peer says that it closes, which is before its connection is gone. */
  onLeaving: (() => void) | undefined;

  /** Our own closes go through here. */
  closeWith(code: number, reason: string): void {
    super.close(code, reason);
  }

  /**
   * The receiver of `ws` calls this: with a code alone when a frame is too big, not masked, compressed or not UTF-8,
   * and otherwise to echo the close of the peer.
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
