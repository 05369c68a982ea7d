import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

interface Exported {
  readonly "plimsoll-source": string;
}

/** One bundle per package: an entry for every exported path and every command, everything else split into chunks. */
export default defineConfig(readdirSync("packages").flatMap(bundle));

function bundle(name: string): Options[] {
  const folder = `packages/${name}`;
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const sources = Object.values<Exported>(manifest.exports).map((exported) => exported["plimsoll-source"]);
  for (const command of Object.values<string>(manifest.bin ?? {})) {
    sources.push(command.replace("./dist/", "./src/").replace(/\.js$/, ".ts"));
  }
  const entry = Object.fromEntries(
    sources.map((source) => [source.replace("./src/", "").replace(/\.ts$/, ""), `${folder}/${source}`]),
  );
  return [
    {
      entry,
      outDir: `${folder}/dist`,
      format: "esm",
      target: "es2024",
      platform: name === "core" ? "neutral" : "node",
      splitting: true,
      treeshake: true,
      dts: false,
      clean: false,
      silent: true,
      external: [/^@plimsoll\//],
    },
  ];
}
