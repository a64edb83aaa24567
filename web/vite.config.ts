import { defineConfig } from "vite";

const SERVER = process.env.MENDEL_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
  esbuild: { jsx: "automatic" },
  build: {
    outDir: process.env.MENDEL_PAGE_OUT ?? "../src/mendel/api/page",
    emptyOutDir: true,
    manifest: "manifest.json",
    // The page's content security policy forbids inline and data: scripts, so every asset is a file with its hash in its name.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
  },
  server: {
    // The server accepts writes only from its own origin.
    proxy: Object.fromEntries(["/api", "/healthz", "/readyz"].map((path) => [path, { target: SERVER, headers: { origin: SERVER } }])),
  },
});
