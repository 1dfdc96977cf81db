// The NATS subjects: one that all gateways speak on, one for each gateway and one for each worker.

/** Gateways say that they are there and what they want; every worker and gateway listens. */
export const GATEWAYS_SUBJECT = 'faircopy.gateways';
/** From workers: their state, with credits, and answers. */
export const gatewaySubject = (id: string): string => `faircopy.gateway.${id}`;
/** From gateways: windows, and what they no longer want. */
export const workerSubject = (id: string): string => `faircopy.worker.${id}`;
