import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file, src/ludometer/web/viewer.html, which is committed: the build must give the same bytes everywhere, so
// nothing here depends on the time, on a path or on the machine.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/ludometer/web",
    emptyOutDir: false, // Python modules live there
    target: "es2022",
    modulePreload: false,
    rollupOptions: { input: "viewer.html" },
  },
  plugins: [viteSingleFile()],
  // For work on the page beside a running `ludometer view`.
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
});
