// Builds the console into the server's package. The server serves it under /console.
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  // Scripts and styles use relative URLs, so that the server can run below any path.
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/console/${name}` : { relative: true }),
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: '../server/dist/console',
    emptyOutDir: true,
    // The content security policy does not allow data: URLs, so every asset stays a file.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Misplaced annotations in dependencies have no effect here.
      onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
    },
  },
  server: { proxy: { '/console/api': 'http://localhost:8080', '/v1': { target: 'http://localhost:8080', ws: true } } },
});
