/**
 * The lock files of Mix and rebar3, of which only Hex packages are read:
 *
 * ```
 * mix.lock:   "NAME" ": {:hex, :" PACKAGE ", \"" VERSION "\"," …
 * rebar.lock: "{<<\"" NAME "\">>,{pkg,<<\"" PACKAGE "\">>,<<\"" VERSION "\">>" …
 * ```
 * Neither says which packages are for development.
 * @see https://hexdocs.pm/mix/Mix.Tasks.Deps.html
 * @see https://rebar3.org/docs/workflow/#lock-files
 */
import { lockFileDetector } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";

const forms = {
  "mix.lock": /\{:hex, :"?(\w+)"?, "([^"]+)"/g,
  "rebar.lock": /\{pkg,<<"(\w+)">>,<<"([^"]+)">>/g,
} as const;

/** The detectors of the lock files of Erlang and Elixir. */
export const erlangLockFiles = Object.entries(forms).map(([name, form]) =>
  lockFileDetector({
    name: name.replace(".", "-"),
    isNamed: (file) => file === name,
    *read(file) {
      for (const [, found = "", version = ""] of decodeText(file.bytes).matchAll(form)) yield { name: found, version };
    },
  }),
);
