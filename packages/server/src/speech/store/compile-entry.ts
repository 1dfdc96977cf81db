// Child process that prepares one model and ends: arguments are the model, its folder, and the folder to fill.
import { compileModel } from '../acoustic/graph-compiler.ts';

// When the parent dies the work has no taker.
process.on('disconnect', () => process.exit(1));

const [modelId, sourceFolder, targetFolder] = process.argv.slice(2);
if (!modelId || !sourceFolder || !targetFolder) throw new Error('a model, its folder and a target folder are needed');
await compileModel(modelId, sourceFolder, targetFolder);
process.disconnect?.();
process.exit(0);
