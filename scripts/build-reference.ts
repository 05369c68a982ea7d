/**
 * Builds the reference of the library, a page for each export of the published packages, from their docstrings.
 *
 *     npm run reference [-- FOLDER]
 *
 * By default it is written to `reference/`, which is not committed.
 */
import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

interface Manifest {
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly "plimsoll-source"?: string }>>;
}

/** The sources of what each package promises: not what is for the packages of this repository. */
const entryPoints = globSync("packages/*/package.json", { cwd: root })
  .sort()
  .flatMap((path) => {
    const { private: isPrivate = false, exports = {} }: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"));
    return Object.entries(exports).flatMap(([name, { "plimsoll-source": source }]) =>
      isPrivate || source === undefined || /[*]|^\.\/internal/.test(name) ? [] : [join(root, dirname(path), source)],
    );
  });

// TypeDoc reads sources with the compiler's API, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});
const { Application } = await import("typedoc");

const app = await Application.bootstrap({
  name: "Plimsoll",
  entryPoints,
  basePath: root,
  tsconfig: join(root, "tsconfig.tests.json"),
  readme: "none",
  excludeInternal: true, // members that are for the packages of this repository
  githubPages: false,
  skipErrorChecking: true, // the typecheck is a step of its own
  logLevel: "Error",
});
const project = await app.convert();
if (project === undefined) throw new Error("TypeDoc could not read the sources");
const out = process.argv[2] ?? join(root, "reference");
await app.generateDocs(project, out);
if (app.logger.hasErrors()) process.exitCode = 1;
else console.log(`${entryPoints.length} entries of the packages are described in ${out}/index.html`);
