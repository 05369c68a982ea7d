import type { ChosenFeed, UpdateEvent } from "@plimsoll/scanner";
import type { Progress } from "../cli/progress.ts";
import { counted } from "../render/terminal-text.ts";

/** The progress of one feed's update. */
interface FeedProgress {
  /** Downloaded bytes and, if known, total bytes, by document. */
  readonly documents: Map<string, readonly [bytes: number, totalBytes: number | undefined]>;
  records: number;
  isStoring: boolean;
}

/** The display, the clock, and the kind of output. */
export interface UpdateProgressOptions {
  readonly progress: Progress;
  readonly now: () => number;
  readonly isTerminal: boolean;
}

/** How often a plain line is written, and how often the line of a terminal changes. */
const plainMs = 10_000;
const terminalMs = 100;

/** Shows the progress of each feed: on a terminal one changing line, elsewhere a plain line for all feeds every ten seconds. */
export function updateProgress({ progress, now, isTerminal }: UpdateProgressOptions): (event: UpdateEvent) => void {
  const feeds = new Map<string, FeedProgress>();
  let lastAt = now();
  return (event) => {
    if (event.kind === "chosen") return;
    if (event.kind === "ended") feeds.delete(event.result.updater);
    else note(feeds, event);
    if (now() - lastAt < (isTerminal ? terminalMs : plainMs)) return;
    lastAt = now();
    const parts = [...feeds].map(([name, feed]) => `${name} ${textOf(feed)}`);
    if (parts.length > 0) progress.showLine(parts.join(" · "));
  };
}

function note(feeds: Map<string, FeedProgress>, event: Exclude<UpdateEvent, { kind: "chosen" | "ended" }>): void {
  const feed = feeds.get(event.updater) ?? { documents: new Map(), records: 0, isStoring: false };
  feeds.set(event.updater, feed);
  if (event.kind === "downloading") feed.documents.set(event.document, [event.bytes, event.totalBytes]);
  else if (event.kind === "progress") feed.records = event.items;
  else if (event.kind === "storing") feed.isStoring = true;
}

function textOf({ documents, records, isStoring }: FeedProgress): string {
  if (isStoring) return `storing ${counted(records, "record")}`;
  if (records > 0) return counted(records, "record");
  if (documents.size === 0) return "requesting";
  const all = [...documents.values()];
  const bytes = all.reduce((sum, [each]) => sum + each, 0);
  const total = all.reduce((sum, [each, of]) => sum + (of ?? each), 0);
  return total > bytes ? `${megabytes(bytes)} of ${megabytes(total)}` : megabytes(bytes);
}

/** The message before an update downloads anything: the chosen feeds and their size. */
export function chosenText(feeds: readonly ChosenFeed[]): string {
  const bytes = feeds.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  const names = feeds.map(({ name }) => name).join(", ");
  const size = bytes === 0 ? "" : `, about ${megabytes(bytes)} the first time, then what changed`;
  return `updating ${counted(feeds.length, "feed")}${size}: ${names}`;
}

function megabytes(bytes: number): string {
  return bytes < 10e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}
