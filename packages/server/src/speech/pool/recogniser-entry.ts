// Entry of a recogniser process: the real models.
import { loadInference } from '../inference.ts';
import { serveRecogniser } from './serve-recogniser.ts';

serveRecogniser(loadInference);
