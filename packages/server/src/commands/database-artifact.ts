import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { LoginFlags, Session } from "../cli/session.ts";
import { counted } from "../render/terminal-text.ts";
import { databaseStatus, eventText } from "./database.ts";

/** `plimsoll db push REF`: pushes all advisories to a registry. */
export async function databasePush(session: Session, reference: string, login: LoginFlags): Promise<ExitCode> {
  const { settings, io } = session;
  if (!session.hasDatabase()) {
    io.stderr.write(`plimsoll: ${settings.db}: there is no database to push: run plimsoll db update\n`);
    return exitCodes.database;
  }
  const registry = await session.registry(login);
  await using scanner = await session.open();
  const digest = await scanner.pushDatabase(withoutScheme(reference), { ...registry, ...aborting(session) });
  io.stdout.write(`${withoutScheme(reference)}@${digest}\n`);
  return exitCodes.ok;
}

/** The flags of `db update --from`. */
export interface PullFlags {
  readonly feed: readonly string[];
  readonly all: boolean;
  readonly login: LoginFlags;
}

/** `plimsoll db update --from REF`: reads the advisories that `db push` stored in a registry, all or nothing. */
export async function databasePull(
  session: Session,
  reference: string,
  { feed, all, login }: PullFlags,
): Promise<ExitCode> {
  const { io, progress } = session;
  if (feed.length > 0)
    throw new UsageError("--from and --feed: all feeds come from the registry, or from their own places");
  if (all) throw new UsageError("--from and --all: all feeds come from the registry, or from their own places");
  const registry = await session.registry(login);
  await using scanner = await session.open();
  const using = { ...registry, ...aborting(session) };
  const { digest, results } = await scanner.pullDatabase(withoutScheme(reference), using, (event) =>
    progress.show(eventText(event)),
  );
  progress.clear();
  const changed = results.filter(({ kind }) => kind === "updated").length;
  io.stdout.write(`${digest}: ${changed === 0 ? "up to date" : `${counted(changed, "feed")} changed`}\n`);
  return databaseStatus(session);
}

function aborting({ io: { signal } }: Session) {
  return { signal };
}

function withoutScheme(reference: string): string {
  return reference.replace(/^registry:/, "");
}
