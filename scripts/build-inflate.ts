/**
 * Compiles the DEFLATE decoder and writes it into a module of `@plimsoll/core`:
 * `node scripts/build-inflate.ts`. A test compiles it again and compares the result.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileInflate, renderInflateModule } from "./lib/compile-inflate.ts";

const target = fileURLToPath(new URL("../packages/core/src/inflate/inflate.wasm.ts", import.meta.url));
const wasm = await compileInflate();
writeFileSync(target, renderInflateModule(wasm));
console.log(`${target}: ${wasm.length} bytes of WebAssembly, ${readFileSync(target).length} bytes of module`);
