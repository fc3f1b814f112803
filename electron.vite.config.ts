import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const inProject = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Processes and threads of the product, each a file of out/main. `index` runs inside Electron, the others under Node. */
const mainEntries = {
  index: inProject('src/main/index.ts'),
  engine: inProject('src/main/engine.ts'),
  cli: inProject('src/main/cli/index.ts'),
  trainer: inProject('src/workers/trainer.ts'),
  language: inProject('src/workers/language.ts'),
  'model-host': inProject('src/workers/model-host.ts'),
};

/** Published as ES modules only: bundled, because out/main is CommonJS. */
const esmOnly = ['langium', 'commander', '@noble/hashes'];

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node18',
      sourcemap: true,
      externalizeDeps: { exclude: esmOnly },
      rollupOptions: {
        input: mainEntries,
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: 'node18',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: inProject('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].js' },
      },
    },
  },
  renderer: {
    root: inProject('src/renderer'),
    // The same build is served under app:// and under http://127.0.0.1: every address in it is relative.
    base: './',
    publicDir: inProject('resources/icons'),
    plugins: [react()],
    worker: { format: 'es' },
    build: {
      outDir: inProject('out/renderer'),
      emptyOutDir: true,
      target: 'chrome114',
      minify: true,
      chunkSizeWarningLimit: 4000,
      rollupOptions: { input: { index: inProject('src/renderer/index.html') } },
    },
  },
});
