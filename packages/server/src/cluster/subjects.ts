// The NATS subjects: one for all gateways, one per gateway, one per worker.

/** Heartbeats of gateways with their waiting windows; every worker and gateway subscribes. */
export const GATEWAYS_SUBJECT = 'faircopy.gateways';
/** From workers: their state, with credits, and answers. */
export const gatewaySubject = (id: string): string => `faircopy.gateway.${id}`;
/** From gateways: windows and releases. */
export const workerSubject = (id: string): string => `faircopy.worker.${id}`;
