// Entry point of a recogniser process with the real models.
import { letHeapGrow } from '../../lib/process/heap.ts';
import { loadInference } from '../inference.ts';
import { serveRecogniser } from './serve-recogniser.ts';

letHeapGrow();
serveRecogniser(loadInference);
