import { safeText } from "@plimsoll/core/internal/safe-text";
import { buildJavaIndex, type JavaIndexStatus, javaIndexFeed, ScanError, updateJavaIndex } from "@plimsoll/scanner";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { LoginFlags, Session } from "../cli/session.ts";
import { counted } from "../render/terminal-text.ts";

/** The place of the Java index that an update fetches: that of the flag, or of the settings if no feed is named. */
export function javaIndexPlace(
  { settings }: Session,
  named: readonly (readonly [name: string, place: string | undefined])[],
): string | undefined {
  const flag = named.find(([name]) => name === javaIndexFeed);
  const configured = settings.feeds[javaIndexFeed];
  if (flag === undefined) return named.length === 0 ? configured : undefined;
  const place = flag[1] ?? configured;
  if (place !== undefined) return place;
  throw new UsageError(
    `--feed ${javaIndexFeed}: this feed has no address of its own: name a place, ${javaIndexFeed}=registry:REFERENCE, =URL or =PATH`,
  );
}

/** Fetches the Java index. One that cannot be fetched keeps the earlier one, and fails the command. */
export async function updateIndex(session: Session, location: string, login: LoginFlags): Promise<ExitCode> {
  const { settings, io, progress } = session;
  const file = indexFile(session);
  const registry = await session.registry(login);
  const { proxy } = registry;
  try {
    const { kind, sizeBytes, archives } = await updateJavaIndex({
      location,
      file,
      registry,
      offline: settings.offline,
      clock: { now: io.now },
      onBytes: (_, bytes) => progress.showLine(`${javaIndexFeed} ${megabytes(bytes)}`),
      proxy,
      signal: io.signal,
    });
    progress.clear();
    io.stdout.write(
      `${javaIndexFeed}: ${kind === "unchanged" ? "up to date" : `${counted(archives, "archive")}, ${megabytes(sizeBytes)}, in ${file}`}\n`,
    );
    return emptyCode(session, archives);
  } catch (error) {
    if (!(error instanceof ScanError) || error.code === "aborted") throw error;
    session.fail(`${javaIndexFeed}: ${safeText(error.message)}`);
    return exitCodes.scan;
  }
}

/** `plimsoll db java-index build FOLDER [-o FILE]`: builds an index of the Java archives in a folder. */
export async function javaIndexBuild(session: Session, folder: string, output?: string): Promise<ExitCode> {
  const { io } = session;
  const file = output ?? indexFile(session);
  const { archives, skipped, firstSkipped } = await buildJavaIndex({
    folder,
    output: file,
    signal: io.signal,
  });
  io.stdout.write(`${file}: ${counted(archives, "archive")}\n`);
  if (skipped === 0) return emptyCode(session, archives);
  session.warn(`${counted(skipped, "archive")} could not be identified`);
  for (const line of firstSkipped) session.warn(safeText(line));
  if (skipped > firstSkipped.length) session.warn(`and ${skipped - firstSkipped.length} more`);
  return emptyCode(session, archives);
}

/** Warns about an index without archives, which identifies nothing. */
function emptyCode({ settings, warn, fail }: Session, archives: number): ExitCode {
  if (archives > 0) return exitCodes.ok;
  const message = "the Java index has no archive, so it identifies none";
  if (settings.strict) fail(`--strict: ${message}`);
  else warn(message);
  return settings.strict ? exitCodes.scan : exitCodes.ok;
}

function indexFile({ javaIndex, settings }: Session): string {
  if (javaIndex !== undefined) return javaIndex;
  throw new UsageError(
    `the database ${settings.db === ":memory:" ? ":memory:" : "of a server"} has no folder: name the file of the Java index with --java-index`,
  );
}

/** The line of `db status` about the index. */
export function indexText({ file, sizeBytes, archives, source }: JavaIndexStatus): string {
  const content = archives === undefined ? "damaged" : counted(archives, "archive");
  const from =
    source === undefined
      ? ""
      : `, from ${safeText(source.location)}, changed ${new Date(source.changedAt).toISOString()}, checked ${new Date(source.checkedAt).toISOString()}`;
  return `java index: ${file}, ${content}, ${megabytes(sizeBytes)}${from}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
