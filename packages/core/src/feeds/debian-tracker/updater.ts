import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { isObject } from "../../model/json-object.ts";
import { documentPlace, type JsonPlace, membersAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type ChosenFiles, chosenFiles } from "../shared/chosen-files.ts";
import { feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { isBlank } from "../shared/json-items.ts";
import { malformedFeed, partItems, recordItems } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { gitItems, isGitForm, listNames } from "./git/items.ts";
import { debianAdvisories } from "./tracker.ts";

/**
 * Imports the Debian security tracker: from one JSON document or a folder of documents, or from the lists in its repository, in a copy of it or
 * on a server with its files.
 */
export const debianTrackerUpdater = snapshotUpdater({
  name: "debian",
  location: "https://security-tracker.debian.org/tracker/data/json",
  scope: { partBytes: { debian: 0 }, sharedBytes: 70e6 },
  revision: 6,
  findParts,
  items(parts, { startedAt }) {
    const files = parts.flatMap(feedFiles);
    if (isGitForm(files.map(({ name }) => name))) return gitItems(files, startedAt);
    return itemsOf(chosenFiles(parts, (name) => name.endsWith(".json"), documents));
  },
});

const documents = { feed: "the folder of the Debian tracker", expected: "JSON documents" };

/** The location itself if it is a document or folder. The address of a server with the repository's files gives a web page or nothing. */
async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const [first, ...others] = listNames;
  const list = await parts.find(first);
  if (list === undefined) return [whole ?? (await parts.get())];
  const found = [list];
  for (const name of others) found.push(await parts.get(name));
  return found;
}

/** The source packages by which it is known of which releases the feed is: nearly each is in most of them. */
const firstSources = 500;

/** A source package of the document, with its vulnerabilities. */
interface SourceMember {
  readonly source: string;
  readonly place: JsonPlace;
  readonly location: string;
}

/** Reads one source package at a time, since the document has about 70 MB; the first ones together. */
async function* itemsOf({ files, skipped }: ChosenFiles): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  const inFeed = new Set<string>();
  let first: SourceMember[] | undefined = [];
  for await (const member of sourcesOf(files)) {
    if (first === undefined) {
      yield* sourceItems(member, inFeed);
      continue;
    }
    for (const codeName of codeNamesIn(member)) inFeed.add(codeName);
    first.push(member);
    if (first.length < firstSources) continue;
    for (const each of first) yield* sourceItems(each, inFeed);
    first = undefined;
  }
  for (const each of first ?? []) yield* sourceItems(each, inFeed);
}

async function* sourcesOf(files: ChosenFiles["files"]): AsyncGenerator<SourceMember> {
  for (const { stream, location } of files) {
    for await (const [source, place] of jsonMembers(stream(), location)) yield { source, place, location };
  }
}

function codeNamesIn({ place: { value: entries } }: SourceMember): readonly string[] {
  return Object.values(isObject(entries) ? entries : {}).flatMap((entry) =>
    isObject(entry) && isObject(entry.releases) ? Object.keys(entry.releases) : [],
  );
}

function sourceItems({ source, place, location }: SourceMember, inFeed: ReadonlySet<string>) {
  const readEntry = ([name, entry]: readonly [string, JsonPlace]): readonly FeedItem<Advisory>[] =>
    recordItems(`${entry.document}: ${source} ${name}`, (readPart) =>
      debianAdvisories({ source, name, inFeed }, entry, readPart),
    );
  return partItems(`${location}: ${source}`, () => membersAt(place), readEntry);
}

/** A member of a document's outermost object. */
type JsonMember = readonly [name: string, place: JsonPlace];

/** The maximal size of one member; the largest in the feeds (`linux` of the Debian tracker) has a tenth of it. */
const maxMemberBytes = 128 * 1024 ** 2;

/**
 * The members of the outermost object of a JSON document, one by one. Memory is limited by the largest member, not by the
 * document.
 *
 * ```
 * document = "{" [member {"," member}] "}"
 * member   = string ":" value
 * ```
 * Only strings and brackets are parsed to find the end of a member; `JSON.parse` parses the member.
 *
 * @throws ScanError `malformed_feed` with `location` in its message, when the document is not an object or is truncated
 */
export async function* jsonMembers(source: Bytes, location: string): AsyncGenerator<JsonMember> {
  const scan: Scan = { depth: 0, inString: false, escaped: false, begun: false, members: 0, pieces: [], pieceBytes: 0 };
  for await (const chunk of source) {
    for (const member of splitMembers(scan, chunk, location)) yield* parseMember(member, location);
  }
  if (!scan.begun || scan.depth !== 0 || !isBlank(takeBytes(scan))) {
    throw malformedFeed(location, "expected one JSON object, found the end of the document or more after it");
  }
}

interface Scan {
  depth: number;
  inString: boolean;
  escaped: boolean;
  begun: boolean;
  /** The number of members found so far. */
  members: number;
  pieces: Uint8Array[];
  pieceBytes: number;
}

function* splitMembers(scan: Scan, chunk: Uint8Array, location: string): Generator<Uint8Array> {
  let start = 0;
  for (let at = 0; at < chunk.length; at++) {
    const code = chunk[at] as number;
    if (!isBoundary(scan, code)) continue;
    keepPiece(scan, chunk.slice(start, at), location);
    start = at + 1;
    const bytes = takeBytes(scan);
    if (scan.begun) {
      const isEmptyObject = scan.depth === 0 && scan.members === 0 && isBlank(bytes);
      if (!isEmptyObject) yield bytes;
      scan.members++;
    } else if (code !== openBrace || !isBlank(bytes)) {
      throw malformedFeed(location, "expected a JSON object");
    }
    scan.begun = true;
  }
  keepPiece(scan, chunk.slice(start), location);
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Processes one byte; returns whether a member may begin or end at it. */
function isBoundary(scan: Scan, code: number): boolean {
  if (scan.inString) {
    if (scan.escaped) scan.escaped = false;
    else if (code === backslash) scan.escaped = true;
    else if (code === quote) scan.inString = false;
    return false;
  }
  switch (code) {
    case quote:
      scan.inString = true;
      return false;
    case openBrace:
    case openBracket:
      return ++scan.depth === 1;
    case closeBrace:
    case closeBracket:
      return --scan.depth === 0;
    default:
      return code === comma && scan.depth === 1;
  }
}

function keepPiece(scan: Scan, piece: Uint8Array, location: string): void {
  scan.pieces.push(piece);
  scan.pieceBytes += piece.length;
  if (scan.pieceBytes > maxMemberBytes) throw malformedFeed(location, `a member of more than ${maxMemberBytes} bytes`);
}

/** Returns the kept pieces, and clears them. */
function takeBytes(scan: Scan): Uint8Array {
  const bytes = concatBytes(scan.pieces);
  scan.pieces = [];
  scan.pieceBytes = 0;
  return bytes;
}

function parseMember(member: Uint8Array, location: string): readonly JsonMember[] {
  const braced = concatBytes([Uint8Array.of(openBrace), member, Uint8Array.of(closeBrace)]);
  const members = membersAt(documentPlace(parseJson(braced, location, "malformed_feed"), location, "malformed_feed"));
  if (members.length === 1) return members;
  throw malformedFeed(location, `expected one member between commas, found ${members.length}`);
}
