// Child process that compiles one model; arguments: its family, its folder and the target folder.
import { isCompiledSpeakerFamily } from '../../speakers/families.ts';

// The parent is gone, so the result is not needed.
process.on('disconnect', () => process.exit(1));

const [family, sourceFolder, targetFolder] = process.argv.slice(2);
if (!family || !sourceFolder || !targetFolder) throw new Error('arguments: family, model folder, target folder');
// Imported on demand: each loads its families and the inference runtime.
const compile = isCompiledSpeakerFamily(family)
  ? (await import('../../speakers/compile.ts')).compileSpeakerModel
  : (await import('../../acoustic/graph-compiler.ts')).compileModel;
await compile(family, sourceFolder, targetFolder);
process.disconnect?.();
process.exit(0);
