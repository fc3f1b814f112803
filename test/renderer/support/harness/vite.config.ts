import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the workbench with invented figures: `npx vite build --config test/renderer/support/harness/vite.config.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../../../../out/harness', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome114',
  },
});
