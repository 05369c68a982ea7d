/**
 * The history of dnf, which has the repository that a package was installed from.
 *
 * ```
 * dnf 4   rpm        item_id, name, epoch, version, release, arch
 *         trans_item id, trans_id, item_id, repo_id, action, reason, state
 *         repo       id, repoid
 * dnf 5   rpm        item_id, name_id, epoch, version, release, arch_id     with tables pkg_name and arch: id, name
 *         trans_item …, action_id, reason_id, state_id                      with trans_item_action, trans_item_state: id, name
 * ```
 * @see https://github.com/rpm-software-management/libdnf/blob/dnf-4-master/libdnf/transaction/Types.hpp
 */
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { FoundPackage } from "../../model/package.ts";
import type { PackageOrigins } from "../../plugins/finding.ts";
import { decodeSqliteFile, type SqliteFile } from "../../sqlite/file.ts";
import type { SqliteValue } from "../../sqlite/record.ts";
import { readTable } from "../../sqlite/table.ts";
import { overlayWal } from "../../sqlite/wal.ts";
import { formatEvr } from "./package.ts";

/** The histories of dnf 5 and dnf 4. */
export const historyPaths: readonly string[] = [
  "usr/lib/sysimage/libdnf5/transaction_history.sqlite",
  "var/lib/dnf/history.sqlite",
];

/** The largest number of rows in a table; a system that was maintained for years has a tenth of it. */
const maxRows = 500_000;
/** The largest number of packages that are kept, the newest; a system has a few thousand. */
const maxPackages = 20_000;

/** The actions of dnf 4 that install a package: install, downgrade, upgrade and reinstall. */
const installsBefore5: ReadonlySet<number> = new Set([1, 2, 6, 9]);
const failedBefore5 = 2;
const installs: ReadonlySet<string> = new Set(["Install", "Upgrade", "Downgrade", "Reinstall"]);

/**
 * Reads which repository each package of a history of dnf was installed from. The last transaction that installed it counts. Damaged rows are
 * left out.
 * @throws ScanError `malformed_package_db`
 */
export function readDnfHistory(bytes: Uint8Array, wal?: Uint8Array): PackageOrigins {
  const main = decodeSqliteFile(bytes);
  const file = wal === undefined ? main : overlayWal(main, wal);
  const isDnf5 = hasTable(file, "trans_item_action");
  const items = itemRepositories(file, { isDnf5 });
  const [names, arches] = isDnf5 ? [namesOf(file, "pkg_name"), namesOf(file, "arch")] : [undefined, undefined];
  const found = new Map<string, string>();
  for (const [, [item, name, epoch, version, release, arch]] of rowsOf(file, "rpm")) {
    const repository = items.get(Number(item));
    if (repository === undefined) continue;
    const evr = formatEvr(Number(epoch), `${String(version)}-${String(release)}`);
    const key = originKey({ name: textOf(name, names), version: evr, arch: textOf(arch, arches) });
    found.delete(key); // so that the newest are last
    found.set(key, repository);
  }
  const newest = [...found].slice(-maxPackages);
  const byRepository = Map.groupBy(newest, ([, repository]) => repository);
  return Object.fromEntries(Array.from(byRepository, ([name, of]) => [name, of.map(([key]) => key)]));
}

/** A package in an {@link PackageOrigins}. */
export function originKey({ name, version, arch = "" }: Pick<FoundPackage, "name" | "version" | "arch">): string {
  return `${name} ${version} ${arch}`;
}

/**
 * Whether a repository is an extra of Amazon Linux 2: a newer version of a package beside that of the distribution, with advisories of its own. The feed `amazon` has those of the
 * distribution's main repository only, which would be about other versions.
 */
export function isExtra(repository: string): boolean {
  return /^amzn2extra-[\w.+-]{1,100}$/.test(repository);
}

function textOf(value: SqliteValue | undefined, names: ReadonlyMap<number, string> | undefined): string {
  return names === undefined ? String(value) : (names.get(Number(value)) ?? "");
}

/** The name of the repository by item. Packages that were installed from files have none. */
function itemRepositories(file: SqliteFile, { isDnf5 }: { readonly isDnf5: boolean }): ReadonlyMap<number, string> {
  const repositories = namesOf(file, "repo");
  const [actions, states] = isDnf5
    ? [namesOf(file, "trans_item_action"), namesOf(file, "trans_item_state")]
    : [undefined, undefined];
  const found = new Map<number, string>();
  for (const [, [, , item, repo, action, , state]] of rowsOf(file, "trans_item")) {
    const isInstall =
      actions === undefined ? installsBefore5.has(Number(action)) : installs.has(actions.get(Number(action)) ?? "");
    const isFailed = states === undefined ? Number(state) === failedBefore5 : states.get(Number(state)) === "Error";
    const name = repositories.get(Number(repo)) ?? "";
    if (isInstall && !isFailed && /^[\w.:/-]{1,200}$/.test(name)) found.set(Number(item), name);
  }
  return found;
}

/** The second column of a table by row id. */
function namesOf(file: SqliteFile, table: string): ReadonlyMap<number, string> {
  const rows = rowsOf(file, table);
  return new Map(Array.from(rows, ([id, [, name]]) => [id, typeof name === "string" ? name : ""]));
}

function* rowsOf(file: SqliteFile, table: string): Generator<readonly [id: number, values: readonly SqliteValue[]]> {
  let rows = 0;
  for (const item of readTable(file, table)) {
    if (++rows > maxRows) throw malformedPackageDb(`expected at most ${maxRows} rows in ${table}, found more`);
    if (item.kind !== "damaged") yield [Number(item.rowid), item.values];
  }
}

function hasTable(file: SqliteFile, name: string): boolean {
  try {
    readTable(file, name);
    return true;
  } catch {
    return false;
  }
}
