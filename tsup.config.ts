import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig, type Options } from "tsup";

/** A bundle per package; the command has its own (`tsup.command.config.ts`) because it is made of these. */
export default defineConfig(
  readdirSync("packages").map((name) => bundle(name, "exports", { skipNodeModulesBundle: true })),
);

/** Every source of a package whose paths are all exported. */
function allSources(folder: string): string[] {
  const paths = globSync("src/**/*.ts", {
    cwd: folder,
    exclude: (path) => /\.test\.ts$|^fixtures$/.test(basename(path)),
  });
  return paths.map((path) => `./${path.replaceAll("\\", "/")}`);
}

interface Exported {
  readonly "plimsoll-source": string;
}

/** An entry for every exported path, or every command, of a package; everything else is split into chunks. */
export function bundle(name: string, what: "exports" | "commands", dependencies: Options): Options {
  const folder = `packages/${name}`;
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const sources =
    what === "exports"
      ? Object.values<Exported>(manifest.exports).map((exported) => exported["plimsoll-source"])
      : Object.values<string>(manifest.bin).map((script) =>
          script.replace("./dist/", "./src/").replace(/\.js$/, ".ts"),
        );
  const files = sources.flatMap((source) => (source.includes("*") ? allSources(folder) : [source]));
  const entry = Object.fromEntries(
    files.map((source) => [source.replace("./src/", "").replace(/\.ts$/, ""), `${folder}/${source}`]),
  );
  return {
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
    removeNodeProtocol: false,
    ...dependencies,
  };
}
