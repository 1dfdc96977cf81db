// The NATS subjects: one for all gateways, one per gateway, one per worker.

/** Heartbeats of gateways with their waiting windows; all workers and gateways subscribe. */
export const GATEWAYS_SUBJECT = 'faircopy.gateways';
/** From workers to one gateway: states with credits, and answers. */
export const gatewaySubject = (id: string): string => `faircopy.gateway.${id}`;
/** From gateways to one worker: windows, releases and, in a large cluster, states. */
export const workerSubject = (id: string): string => `faircopy.worker.${id}`;
