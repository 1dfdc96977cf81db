// The interface of peers: a process that transcribes one clip per request.
import type { WorkerProcess } from './worker-process.ts';

export interface PeerRequest {
  readonly samples: Float32Array;
  /** Undefined if the peer detects it. */
  readonly language: string | undefined;
}

export interface PeerResult {
  readonly text: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
}

export type PeerProcess = Pick<WorkerProcess<PeerRequest, PeerResult>, 'request' | 'stop'>;

export interface Peer {
  readonly name: string;
  readonly languages: 'English' | 'any';
  start(): Promise<PeerProcess>;
}
