// Bundles the client into one file for pages without a bundler.
export default {
  build: {
    outDir: 'dist/browser',
    target: 'es2022',
    lib: { entry: 'dist/src/script.js', formats: ['es'], fileName: () => 'faircopy.js' },
  },
};
