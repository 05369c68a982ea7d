/**
 * The lock files of Mix and rebar3, of which only Hex packages are published:
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
  "mix.lock": { published: /\{:hex, :"?(\w+)"?, "([^"]+)"/g, unpublished: /"(\w+)": \{:git,/g },
  "rebar.lock": { published: /\{pkg,<<"(\w+)">>,<<"([^"]+)">>/g, unpublished: /\{<<"(\w+)">>,\s*\{git,/g },
} as const;

/** The detectors of the lock files of Erlang and Elixir. */
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
