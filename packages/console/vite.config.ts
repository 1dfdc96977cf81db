// Builds the console into the server's package, served by the server under /console. Nothing is loaded from another origin.
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  // Scripts and styles name their files relative to themselves, so that the server may be below any path.
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/console/${name}` : { relative: true }),
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: '../server/dist/console',
    emptyOutDir: true,
    // A strict content security policy allows no data: scripts, so every asset stays a file.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Misplaced hints in a dependency's comments change nothing here and are not ours to mend.
      onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
    },
  },
  server: { proxy: { '/console/api': 'http://localhost:8080', '/v1': { target: 'http://localhost:8080', ws: true } } },
});
