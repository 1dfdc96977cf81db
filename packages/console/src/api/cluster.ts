// The console's call for the cluster.
import { clusterStatus as shape } from '@faircopy/contract';
import { get } from './request.ts';

/** Null on a server that stands alone. */
export const clusterStatus = () => get(shape.nullable(), '/admin/cluster');
