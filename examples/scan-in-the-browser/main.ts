/** Serves a page that scans image archives in the browser: a file that is dropped on it is not uploaded. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScanner } from "@plimsoll/scanner";
import { build } from "esbuild";

const [port = "8080", snapshot] = process.argv.slice(2);
const page = join(import.meta.dirname, "page");

/** The page may send requests only to this server; it needs WebAssembly to decompress gzip. */
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'unsafe-inline'";

const { outputFiles } = await build({
  entryPoints: ["page.ts", "scan.ts"].map((name) => join(page, name)),
  outdir: page,
  bundle: true,
  format: "esm",
  platform: "browser",
  conditions: ["plimsoll-source"],
  write: false,
});
const files = new Map<string, readonly [type: string, content: Uint8Array]>([
  ["/", ["text/html", readFileSync(join(page, "index.html"))]],
  [
    "/advisories.gz",
    ["application/octet-stream", snapshot === undefined ? await demoAdvisories() : readFileSync(snapshot)],
  ],
  ...outputFiles.map(({ path, contents }) => [path.slice(page.length), ["text/javascript", contents]] as const),
]);

const server = createServer(({ url = "/" }, response) => {
  const [type, content] = files.get(url) ?? [];
  if (type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(content);
});
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}/`);
});

/** The advisories of examples/demo in the format of `plimsoll db export`. */
async function demoAdvisories(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "scan-in-the-browser-"));
  try {
    await using scanner = await openScanner({ db: ":memory:", offline: true });
    const debian = join(import.meta.dirname, "..", "demo", "snapshot", "debian", "tracker.json");
    await scanner.updateFeeds({ only: ["debian"], locations: { debian } });
    await scanner.exportDatabase(join(folder, "advisories.gz"));
    return readFileSync(join(folder, "advisories.gz"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
