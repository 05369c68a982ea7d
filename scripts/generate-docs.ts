/** Writes generated files: pages of docs/reference, what packages promise, the diagram of docs/architecture.md. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { apiReport } from "./lib/library-exports.ts";
import { openLibrarySources, promisedPackages } from "./lib/source-program.ts";
import { namesOfPage, publicNames, publicNamesPage } from "./public-names.ts";
import { withAreaDiagram } from "./registry-areas.ts";
import { permissionsReference, registryReference, withErrorTable } from "./registry-reference.ts";
import { scannerOpenApiDocument, scannerReference } from "./scanner-reference.ts";
import { commandReference, configurationReference } from "./server-reference.ts";

const folder = new URL("../docs/reference/", import.meta.url);
writeFileSync(new URL("command-line.md", folder), commandReference());
writeFileSync(new URL("configuration.md", folder), configurationReference());
writeFileSync(new URL("scanner-api.md", folder), scannerReference());
writeFileSync(new URL("scanner-openapi.json", folder), scannerOpenApiDocument());
writeFileSync(new URL("permissions.md", folder), permissionsReference());
writeFileSync(new URL("registry-api.md", folder), registryReference());
const errors = new URL("errors.md", folder);
writeFileSync(errors, withErrorTable(readFileSync(errors, "utf8")));

const sources = openLibrarySources();
for (const name of promisedPackages)
  writeFileSync(new URL(`../packages/${name}/api.txt`, import.meta.url), apiReport(sources, name));

const names = new URL("public-names.md", folder);
const former = existsSync(names) ? namesOfPage(readFileSync(names, "utf8")) : new Map();
writeFileSync(names, publicNamesPage(await publicNames(sources), former));

const architecture = new URL("../docs/architecture.md", import.meta.url);
writeFileSync(architecture, withAreaDiagram(readFileSync(architecture, "utf8")));
