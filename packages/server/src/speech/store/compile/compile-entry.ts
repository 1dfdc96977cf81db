// Child process that compiles one model and ends: arguments are its family, its folder, and the folder to fill.
import { isSpeakerFamily } from '../speakers/families.ts';

// Nobody waits for the result when the parent is dead.
process.on('disconnect', () => process.exit(1));

const [family, sourceFolder, targetFolder] = process.argv.slice(2);
if (!family || !sourceFolder || !targetFolder)
  throw new Error('a family, a model folder and a target folder are needed');
// Loaded on demand: each brings its own families and the inference runtime along.
const compile = isSpeakerFamily(family)
  ? (await import('../speakers/compile.ts')).compileSpeakerModel
  : (await import('../acoustic/graph-compiler.ts')).compileModel;
await compile(family, sourceFolder, targetFolder);
process.disconnect?.();
process.exit(0);
