/**
 * The lists in the Debian security tracker's repository, from which its JSON document is made.
 *
 * ```
 * list       = {header {indented line}}
 * header     = CVE-2024-0001 [(description) | [description]]     in CVE/list; CVE-2024-XXXX where there is no id yet
 *            | [date] DSA-1-1 description                        in DSA/list and DLA/list
 * annotation = ["[" release "] "] "- " source " " (version | "<" state ">") [" (" flag {"; " flag} ")"]
 * xref       = "{" id {" " id} "}"                               an advisory's CVE ids
 * ```
 * An annotation without a release is about unstable. The flag of a state is its reason; the flags of a version are the urgency and the bug. Other
 * lines are notes.
 *
 * @see https://security-team.debian.org/security_tracker.html
 */
import type { Bytes } from "../../../bytes/bytes.ts";
import type { FeedItem } from "../../../plugins/updater.ts";
import { failedRecord, readRecord } from "../../shared/malformed-feed.ts";
import { textLines } from "../../shared/text-lines.ts";

/** The statement of a list on one source package in one release. */
export interface Annotation {
  /** The code name; `sid` for unstable. */
  readonly release: string;
  readonly source: string;
  readonly said:
    | { readonly kind: "version"; readonly version: string }
    | { readonly kind: "state"; readonly state: string };
  /** `unimportant`, `low`, `medium` or `high`. */
  readonly urgency?: string;
  /** The number of the bug in Debian's bug tracker. */
  readonly bug?: number;
}

/** A vulnerability or an advisory of a list. */
export interface ListEntry {
  readonly name: string;
  readonly description: string;
  readonly annotations: readonly Annotation[];
  /** The CVE ids of an advisory. */
  readonly references: readonly string[];
  /** Whether the CVE id was rejected. */
  readonly isRejected: boolean;
}

const cveHeader = /^(CVE-\d{4}-(?:\d{4,}|XXXX))(?: (.*))?$/;
const advisoryHeader = /^\[\d{1,2} \w{3} \d{4}\] (D[SL]A-\d+(?:-\d+)?) (.*)$/;
/** Marks for the editors of the list. */
const editorMark = /^(?:--|STOP:|begin claimed by|end claimed by)/;
const annotation = /^(?:\[([a-z]+)\] )?- ([\w:.+-]+) +(?:<([a-z-]+)>|([\w:.+~-]+))(?: +\((.*)\))? *$/;

/** The entries of a list, each with what became of it, and a problem for each malformed header or annotation. @throws ScanError `malformed_feed` */
export async function* listEntries(lines: Bytes, location: string): AsyncGenerator<FeedItem<ListEntry>> {
  let open: { header: readonly [name: string, description: string]; lines: string[] } | undefined;
  let number = 0;
  for await (const line of textLines(lines, location)) {
    number++;
    if (line.trim() === "" || editorMark.test(line)) continue;
    if (/^\s/.test(line)) {
      open?.lines.push(line.trim());
      continue;
    }
    if (open !== undefined) yield* readEntry(open.header, open.lines, location);
    const [, name, description = ""] = cveHeader.exec(line) ?? advisoryHeader.exec(line) ?? [];
    open = name === undefined ? undefined : { header: [name, withoutBrackets(description.trim())], lines: [] };
    if (open !== undefined) continue;
    yield problem(`${location}: line ${number}`, line, "a CVE id or an advisory");
    yield failedRecord;
  }
  if (open !== undefined) yield* readEntry(open.header, open.lines, location);
}

function withoutBrackets(text: string): string {
  return /^[[(]/.test(text) && /[\])]$/.test(text) ? text.slice(1, -1) : text;
}

function* readEntry(
  [name, description]: readonly [string, string],
  lines: readonly string[],
  location: string,
): Generator<FeedItem<ListEntry>> {
  const annotations: Annotation[] = [];
  for (const line of lines.filter((each) => /^(?:\[[a-z]+\] )?- /.test(each))) {
    const read = readAnnotation(line);
    if (read === undefined) yield problem(`${location}: ${name}`, line, "a package with its version or state");
    else annotations.push(read);
  }
  const references = lines.flatMap((line) => (line.startsWith("{") ? (line.match(/CVE-\d{4}-\d{4,}/g) ?? []) : []));
  const isRejected = lines.includes("REJECTED");
  yield { kind: "item", item: { name, description, annotations, references, isRejected } };
  yield readRecord;
}

function readAnnotation(line: string): Annotation | undefined {
  const [, release = "sid", source, state, version, flags = ""] = annotation.exec(line) ?? [];
  if (source === undefined) return undefined;
  const words = flags.split(/; */);
  const urgency = words.find((word) => /^(?:unimportant|low|medium|high)$/.test(word));
  const bug = words.map((word) => /^bug #(\d+)$/.exec(word)?.[1]).find((number) => number !== undefined);
  return {
    release,
    source,
    said: state === undefined ? { kind: "version", version: version ?? "" } : { kind: "state", state },
    urgency,
    bug: bug === undefined ? undefined : Number(bug),
  };
}

function problem(at: string, line: string, expected: string) {
  return { kind: "problem", at, message: `expected ${expected}, found ${JSON.stringify(line.slice(0, 80))}` } as const;
}
