import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig, type Options } from "tsup";

/**
 * Packages of which users import single names. They are published as they are written, one file a module: a bundler leaves out a
 * file that an import does not need (`sideEffects` in `package.json`), but only some statements of a chunk.
 */
const publishedAsModules = ["core", "registry"];

/** Leaves an import of another file of the package as it is, but for the ending of its name. */
const importsAsFiles: Plugin = {
  name: "imports-as-files",
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/\.ts$/, ".js"), external: true, sideEffects: false },
    );
  },
};

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** The files of each package. The command has its own bundle (`tsup.command.config.ts`) because it is made of these. */
export default defineConfig(
  readdirSync("packages").map((name) =>
    publishedAsModules.includes(name) ? modules(name) : bundle(name, "exports", { skipNodeModulesBundle: true }),
  ),
);

/** A file for every module of a package. */
function modules(name: string): Options {
  const folder = `packages/${name}`;
  const sources = globSync("src/**/*.ts", {
    cwd: folder,
    exclude: (path) => /\.test\.ts$|^fixtures$/.test(basename(path)),
  });
  const paths = sources.map((path) => `./${path.replaceAll("\\", "/")}`);
  return {
    ...output(name, paths),
    splitting: false,
    treeshake: false,
    skipNodeModulesBundle: true,
    esbuildPlugins: [importsAsFiles],
  };
}

interface Exported {
  readonly "plimsoll-source": string;
}

/** A file for every exported path, or every command, of a package; everything else is split into chunks. */
export function bundle(name: string, what: "exports" | "commands", dependencies: Options): Options {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8"));
  const sources =
    what === "exports"
      ? Object.values<Exported>(manifest.exports).map((exported) => exported["plimsoll-source"])
      : Object.values<string>(manifest.bin).map((script) =>
          script.replace("./dist/", "./src/").replace(/\.js$/, ".ts"),
        );
  return { ...output(name, sources), splitting: true, treeshake: true, ...dependencies };
}

/** @param sources paths in the package, which begin with `./src/` */
function output(name: string, sources: readonly string[]): Options {
  const folder = `packages/${name}`;
  return {
    entry: Object.fromEntries(
      sources.map((source) => [source.replace("./src/", "").replace(/\.ts$/, ""), `${folder}/${source}`]),
    ),
    outDir: `${folder}/dist`,
    format: "esm",
    target: "es2024",
    platform: name === "core" ? "neutral" : "node",
    dts: false,
    clean: false,
    silent: true,
    removeNodeProtocol: false,
    esbuildOptions(options) {
      options.supported = { ...options.supported, "import-attributes": true }; // of JSON; every supported runtime has them
    },
  };
}
