import { safeText } from "@plimsoll/core/internal/safe-text";
import { fixedCredential, openRemoteRepository } from "@plimsoll/indexer";
import { retryClock } from "@plimsoll/outbound";
import { RegistryError, type RegistryStore } from "@plimsoll/registry";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { type OperatedRegistry, operateRegistry } from "@plimsoll/registry-api";
import { systemTime } from "@plimsoll/store";
import { Type } from "typebox";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import { type CliIo, writeLines } from "../../cli/io.ts";
import { readGivenFile } from "../../config/read-given-file.ts";
import type { RegistryServiceSettings } from "../../config/registry-settings.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { wrongValue } from "../../config/wrong-value.ts";
import { credentialFile } from "../../importing/credential-file.ts";
import { importOrganization } from "../../importing/import-organization.ts";
import type { Importing } from "../../importing/importing.ts";
import { NotImported, read, type WritingApi } from "../../importing/management-api.ts";
import { ImportReport, type KindCounts, type ReportEntry } from "../../importing/report.ts";
import { messageOf, openSourceApi } from "../../importing/source-api.ts";
import { openRegistryStorage } from "../../registry/open-registry.ts";
import { openOutgoing } from "../../registry/outgoing.ts";
import { type Column, layOutTable } from "../../render/table.ts";
import { openExisting, readRegistrySettings } from "../admin/operated-registry.ts";

/** The flags of `import registry`. */
export interface ImportFlags {
  readonly tokenFile: string;
  readonly namespace?: readonly string[];
  readonly as?: string;
  readonly credentials?: string;
  readonly createUsers?: true;
  readonly moveTags?: true;
  readonly dryRun?: true;
  readonly output?: ReportFormat;
}

const usualCredentials = "plimsoll-import-credentials.jsonl";

/** A `Retry-After` of more than ten minutes fails the request; the command can be repeated. */
const retry = { ...retryClock, attempts: 6, firstDelayMs: 1000, maxDelayMs: 30_000, maxRetryAfterMs: 600_000 };

/**
 * `plimsoll import registry URL`: copies organizations from a running registry with the same management API. It works whether or not
 * the server here runs, and does not change existing data.
 */
export async function importRegistry(
  io: CliIo,
  flags: ServiceFlags,
  { url: text, ...given }: ImportFlags & { readonly url: string },
): Promise<ExitCode> {
  const url = registryUrl(text);
  const token = (await readGivenFile("--token-file", given.tokenFile, io.signal)).trim();
  if (token === "") throw new UsageError(`--token-file: ${given.tokenFile}: expected an access token, found nothing`);
  const { database, registry } = await readRegistrySettings(io, flags);
  await using resources = new AsyncDisposableStack();
  const store: RegistryStore = resources.use(await openExisting(database));
  const signal = io.signal ?? new AbortController().signal;
  const report = new ImportReport();
  const username = given.as ?? firstSuperuser(registry);
  const operated = resources.use(await openOperated(io, { store, registry, username, resources }));
  const { proxy } = registry;
  const importing: Importing = {
    ...{ report, username, signal, now: io.now, createdUsers: new Set<string>() },
    source: resources.use(openSourceApi({ url, token, proxy, retry, signal })),
    target: targetApi(operated, { isDryRun: given.dryRun === true }),
    openSource: (repository) => openImages(url, { repository, token, registry }),
    importTags: (tags) => operated.importTags(tags),
    credentials: credentialFile(given.credentials ?? usualCredentials),
    isDryRun: given.dryRun === true,
    createsUsers: given.createUsers === true,
    movesTags: given.moveTags === true,
  };
  try {
    for (const organization of given.namespace ?? (await listOrganizations(importing))) {
      await importOrganization(importing, organization);
    }
  } finally {
    writeImportReport(io, report, { format: given.output ?? "table", isDryRun: importing.isDryRun });
  }
  return report.isComplete ? exitCodes.ok : exitCodes.gate;
}

function registryUrl(text: string): URL {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && `${url.pathname}${url.search}${url.hash}` === "/";
  if (!isAddress) throw wrongValue({ place: "url", expected: "an address such as https://old.example", found: text });
  if (url.username !== "" || url.password !== "")
    throw new UsageError("expected the address of a registry without a password: --token-file has the token");
  return url;
}

function firstSuperuser({ settings }: RegistryServiceSettings): string {
  const [first] = settings.superusers ?? [];
  if (first === undefined)
    throw new UsageError(
      "--as: expected the name of a user of this registry, who becomes the creator of what is imported",
    );
  return first;
}

interface ImportDeps {
  readonly store: RegistryStore;
  readonly registry: RegistryServiceSettings;
  readonly username: string;
  readonly resources: AsyncDisposableStack;
}

async function openOperated(io: CliIo, { store, registry, username, resources }: ImportDeps) {
  const { blobs, key } = await openRegistryStorage(registry, { store });
  const { allowedInternalHosts, ...settings } = registry.settings;
  const onRefused = () => {}; // the failed request reports it, and the import report contains that
  const requests = resources.use(openOutgoing({ allowedInternalHosts, onRefused, proxy: registry.proxy }));
  const ports = { clock: { now: io.now }, outgoing: createOutgoing(requests) };
  try {
    const options = { store, blobs, key, settings: { ...settings, allowedInternalHosts }, ports };
    return await operateRegistry({ ...options, sleep: systemTime.sleep }, username);
  } catch (error) {
    throw error instanceof RegistryError ? new UsageError(`--as: ${error.message}`, { cause: error }) : error;
  }
}

function openImages(
  { host, protocol }: URL,
  {
    repository,
    token,
    registry,
  }: Pick<ImportDeps, "registry"> & { readonly repository: string; readonly token: string },
) {
  const login = { kind: "basic", username: "$oauthtoken", password: token } as const;
  return openRemoteRepository(
    { registry: host, repository },
    {
      policy: "trusted",
      insecure: protocol === "http:" ? [host] : [],
      credentials: fixedCredential(host, login),
      proxy: registry.proxy,
    },
  );
}

/** The formats of an import report. */
type ReportFormat = "table" | "json";

/** Writes what was copied, what existed already, and what was not copied with the reason. */
function writeImportReport(
  io: CliIo,
  report: ImportReport,
  { format, isDryRun }: { readonly format: ReportFormat; readonly isDryRun: boolean },
): void {
  const { counts, entries } = report;
  if (format === "json") {
    io.stdout.write(`${JSON.stringify({ dryRun: isDryRun, counts, entries }, undefined, 2)}\n`);
    return;
  }
  if (isDryRun) io.stdout.write("dry run: nothing was changed\n");
  writeLines(io.stdout, layOutTable(countColumns, counts, io.stdout.columns));
  const noted = entries.filter(({ note }) => note !== undefined);
  if (noted.length > 0) writeLines(io.stdout, ["", ...layOutTable(noteColumns, noted, io.stdout.columns)]);
}

const countColumns: readonly Column<KindCounts>[] = [
  { title: "KIND", text: ({ kind }) => kind },
  { title: "TAKEN", text: ({ taken }) => `${taken}` },
  { title: "HERE ALREADY", text: ({ present }) => `${present}` },
  { title: "NOT TAKEN", text: ({ notTaken }) => `${notTaken}` },
];

const outcomes = { taken: "taken", present: "here already", "not taken": "not taken" } as const;

const noteColumns: readonly Column<ReportEntry>[] = [
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => safeText(name), least: 20 },
  { title: "OUTCOME", text: ({ outcome }) => outcomes[outcome] },
  { title: "NOTE", text: ({ note = "" }) => safeText(note) },
];

const Caller = Type.Object({
  organizations: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), is_org_admin: Type.Optional(Type.Boolean()) })),
  ),
});

/** The organizations of the source that the token's user administers. If the source does not list them, the report says so. */
export async function listOrganizations({ source, report }: Importing): Promise<readonly string[]> {
  try {
    const caller = await read(source, "/user/", Caller);
    if (caller?.organizations === undefined)
      throw new NotImported("the other registry does not list its organizations: name them with --namespace");
    return caller.organizations.filter((each) => each.is_org_admin !== false).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof NotImported)) throw error;
    report.add({ kind: "organization", name: "*", outcome: "not taken", note: error.message });
    return [];
  }
}

/** The management API of this registry. @param isDryRun whether requests that change something are skipped */
export function targetApi(
  operated: Pick<OperatedRegistry, "call">,
  { isDryRun }: { readonly isDryRun: boolean },
): WritingApi {
  return {
    async get(path) {
      const { status, body } = await operated.call("GET", path);
      if (status === 404) return undefined;
      if (status !== 200) throw new NotImported(messageOf(body));
      return body;
    },
    async send(method, path, given) {
      if (isDryRun) return undefined;
      const { status, body } = await operated.call(method, path, given);
      if (status < 200 || status > 299) throw new NotImported(messageOf(body));
      return body;
    },
  };
}
