/**
 * The lock files of Mix, rebar3 and Gleam, of which only Hex packages are published:
 *
 * ```
 * mix.lock:   "NAME" ": {:hex, :" PACKAGE ", \"" VERSION "\"," …
 * rebar.lock: "{<<\"" NAME "\">>,{pkg,<<\"" PACKAGE "\">>,<<\"" VERSION "\">>" …
 * manifest.toml: "{ name = \"" PACKAGE "\", version = \"" VERSION "\", …, source = \"hex\" …"
 * ```
 * None says which packages are for development.
 * @see https://hexdocs.pm/mix/Mix.Tasks.Deps.html
 * @see https://rebar3.org/docs/workflow/#lock-files
 */
import type { CoalescedPackage } from "../../plugins/coalescer.ts";
import type { InstalledLock, LockInstallation } from "../../plugins/ecosystem.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { lockedName } from "../language/locked-packages.ts";
import { decodeText } from "../linux/text.ts";

const forms = {
  "mix.lock": { published: /\{:hex, :"?(\w+)"?, "([^"]+)"/g, unpublished: /"(\w+)": \{:git,/g },
  "rebar.lock": { published: /\{pkg,<<"(\w+)">>,<<"([^"]+)">>/g, unpublished: /\{<<"(\w+)">>,\s*\{git,/g },
  "manifest.toml": {
    published: /\{ name = "(\w+)", version = "([^"]+)"[^{}\n]*, source = "hex"/g,
    unpublished: /\{ name = "(\w+)", version = "[^"]+"[^{}\n]*, source = "git"/g,
  },
} as const;

/** The detectors of the lock files of Erlang, Elixir and Gleam. */
export const erlangLockFiles = Object.entries(forms).map(([name, form]) =>
  lockFileDetector({
    name: name.replace(".", "-"),
    isNamed: (file) => file === name,
    *read(file) {
      const text = decodeText(file.bytes);
      for (const [, found = "", version = ""] of text.matchAll(form.published)) yield { name: found, version };
      for (const [, found = ""] of text.matchAll(form.unpublished))
        yield { name: found, version: "", isUnpublished: true };
    },
  }),
);

/** The folders of compiled applications in that of a project: those of a build for production, and those of a release. */
const elixirBuild = /^(?:_build\/prod\/(?:rel\/[^/]+\/)?)?lib\/[^/]+\/ebin\//;

/**
 * Whether the build in the folder of a `mix.lock` was made from it: it has packages of the lock file, and none in another version. Mix compiles all that a
 * program needs, so what the build does not have is for development. The lock file does not tell, and `mix.exs` is a program.
 * @see https://hexdocs.pm/mix/Mix.Tasks.Release.html
 */
function isOfBuild({ kind, path, packages: listed }: InstalledLock, packages: readonly CoalescedPackage[]): boolean {
  if (kind !== "elixir") return false;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const there = packages.filter(
    ({ packageDb }) => packageDb.startsWith(folder) && elixirBuild.test(packageDb.slice(folder.length)),
  );
  const ofLock = there.filter(({ package: { name } }) => {
    const anyVersion = lockedName({ name, version: "" });
    return listed.some((each) => each.startsWith(anyVersion));
  });
  const isOfLock = ({ name, version }: { readonly name: string; readonly version: string }) =>
    [version, ""].some((each) => listed.includes(lockedName({ name, version: each }))); // one of a repository has none in the lock file
  return ofLock.length > 0 && ofLock.every(({ package: found }) => isOfLock(found));
}

/** What Mix builds has all that a program needs. */
export const mixInstallation: LockInstallation = { isMadeFrom: isOfBuild };
