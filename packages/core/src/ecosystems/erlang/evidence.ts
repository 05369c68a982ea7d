import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import type { Watcher } from "../../tar/entry.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** The sources of a package: `deps/NAME/` of Mix, or any folder with what the archive of Hex says of itself. */
const sources = /(?:^|\/)(?:deps\/([^/]+)\/(?:mix\.exs|rebar\.config)|([^/]+)\/hex_metadata\.config)$/;

function sourceFolder(path: string): string | undefined {
  if (!path.endsWith(".exs") && !path.endsWith(".config")) return undefined;
  return sources.test(path) ? path.slice(0, path.lastIndexOf("/") + 1) : undefined;
}

/** The folder has the name of the application, and nothing its version. */
function sourcesAs(path: string): EvidencePackage | undefined {
  const [, ofMix, ofHex = ofMix] = sources.exec(path) ?? [];
  return ofHex === undefined ? undefined : { name: ofHex, version: "" };
}

/** The caches of Hex and rebar3: `.hex/packages/REPOSITORY/NAME-VERSION.tar`. @see https://hexdocs.pm/hex/Mix.Tasks.Hex.Config.html */
const cached = /(?:\.hex|rebar3\/hex\/[^/]+)\/packages\/(?:[^/]+\/)?([^/]+)\.tar$/;

function cachedAs(path: string): EvidencePackage | undefined {
  const [, file = ""] = cached.exec(path) ?? [];
  const at = file.search(/-\d+\.\d/);
  return at <= 0 ? undefined : { name: file.slice(0, at), version: file.slice(at + 1) };
}

/** What shows that there are packages of Erlang and Elixir. */
export const erlangEvidence: readonly EvidenceRule[] = [
  { kind: "erlang", extensions: ["app"], where: /(?:^|\/)ebin\/[^/]+\.app$/ },
  { kind: "erlang", extensions: ["ez"] },
  { kind: "erlang", mark: "escript" },
  { kind: "elixir", folderOf: sourceFolder, packageOf: sourcesAs },
  { kind: "elixir", extensions: ["tar"], where: cached, packageOf: cachedAs },
  lockFilesNamed("elixir", "mix.lock"),
  lockFilesNamed("erlang", "rebar.lock"),
  { ...lockFilesNamed("erlang", "manifest.toml"), where: /(?:^|\/)manifest\.toml$/, watch: watchGleam }, // Julia's has a capital
];

/** The begin of a file that is looked at. */
const headBytes = 4096;

/** Watches a `manifest.toml`, of which other programs have some, for what Gleam writes of each package. @see https://gleam.run/writing-gleam/gleam-toml/ */
function watchGleam(onFound: () => void): Watcher {
  let head = "";
  return (part) => {
    head += new TextDecoder("latin1").decode(part.subarray(0, headBytes - head.length));
    if (/\bbuild_tools = \[/.test(head)) {
      onFound();
      return false;
    }
    return head.length < headBytes;
  };
}
