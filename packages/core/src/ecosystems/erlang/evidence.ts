import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Erlang and Elixir. */
export const erlangEvidence: readonly EvidenceRule[] = [
  { kind: "erlang", extensions: ["app"], where: /(?:^|\/)ebin\/[^/]+\.app$/ },
  { kind: "erlang", extensions: ["ez"] },
  { kind: "erlang", mark: "escript" },
  lockFilesNamed("elixir", "mix.lock"),
  lockFilesNamed("erlang", "rebar.lock"),
];
