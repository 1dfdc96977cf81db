// Child process that compiles one model and ends: arguments are its family, its folder, and the folder to fill.
import { compileModel } from '../acoustic/graph-compiler.ts';

// Nobody waits for the result when the parent is dead.
process.on('disconnect', () => process.exit(1));

const [family, sourceFolder, targetFolder] = process.argv.slice(2);
if (!family || !sourceFolder || !targetFolder)
  throw new Error('a family, a model folder and a target folder are needed');
await compileModel(family, sourceFolder, targetFolder);
process.disconnect?.();
process.exit(0);
