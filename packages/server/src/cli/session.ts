import { existsSync } from "node:fs";
import { withoutUndefined } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import {
  type HostEnvironment,
  hostCertificates,
  hostCredentials,
  hostEngines,
  hostEnvironment,
  type ImageSource,
  type LayerBudget,
  openScanner,
  type Platform,
  parsePlatform,
  parseSource,
  type RegistryOptions,
  type Scanner,
  type ScannerOptions,
  StoreError,
} from "@plimsoll/scanner";
import { type allSettings, defaultsInto } from "../config/all-settings.ts";
import { readFileSettings } from "../config/configuration-files.ts";
import { proxyOf } from "../config/proxy-settings.ts";
import type { DefaultsInto } from "../config/setting.ts";
import { type GivenSettings, settingsOfEnvironment } from "../config/settings.ts";
import { defaultDatabase } from "../config/user-folders.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { type Palette, paletteFor } from "../render/colour.ts";
import { UsageError } from "./exit-code.ts";
import type { CliIo } from "./io.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readPassword } from "./read-password.ts";

/** The flags that all commands share, and settings given as flags. */
export interface GlobalFlags extends GivenSettings {
  readonly config?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** One run of a command: its settings, its output, and how it opens scanner, sources and registries. */
export interface Session {
  readonly io: CliIo;
  readonly settings: Settings;
  readonly palette: Palette;
  readonly progress: Progress;
  /** Prints a message on standard error, unless `--quiet` is set. */
  warn(message: string): void;
  /** Prints the reason why the command fails on standard error, also if `--quiet` is set. */
  fail(message: string): void;
  /** The file of the Java index; undefined if no setting names it and the database is not a file. */
  readonly javaIndex: string | undefined;
  /** Whether the database exists. Opening a missing file would create it. */
  hasDatabase(): boolean;
  /** Opens a scanner for commands that update, import or export advisories; it uses little memory. */
  open(): Promise<Scanner>;
  /** Opens a scanner for commands that read advisories. If the database cannot be written, results are not stored; nor are those with the files of packages. */
  openToRead(options?: Pick<ScannerOptions, "files" | "indexesAtOnce">): Promise<Scanner>;
  /** Parses a source of the command line. @throws ScanError `unsupported_source` */
  source(word: string): Promise<ImageSource>;
  /** Options for registries, with the user's own credentials or those of the flags. @throws UsageError */
  registry(login?: LoginFlags): Promise<RegistryOptions>;
  /** The platform of the settings. @throws UsageError if it is malformed */
  platform(): Platform | "all" | undefined;
}

/** Credentials of a registry that replace those of the user's configuration. */
export interface LoginFlags {
  readonly username?: string;
  /** Read the password from standard input. */
  readonly passwordStdin?: true;
}

/**
 * The time that an interrupted command has for an orderly shutdown. What it has not committed by then is lost, as after a crash.
 */
const orderlyMs = 1_500;

/** The resolved settings of a command. */
export type Settings = GivenSettings & DefaultsInto<typeof allSettings, "command"> & { readonly db: string };

/** Reads the settings and creates the session of a command. @throws UsageError if a setting is malformed */
export async function startSession(flags: GlobalFlags, io: CliIo): Promise<Session> {
  io.endWithin?.(orderlyMs);
  const { quiet = false, verbose = false, config, ...given } = flags;
  const { given: fromFiles, files } = await readFileSettings(config, io);
  const settings = resolveSettings(given, fromFiles, io);
  const progress = createProgress(io.stderr, { quiet, verbose });
  for (const file of files) progress.show(`settings of ${safeText(file)}`);
  const fail = (message: string): void => {
    progress.clear();
    io.stderr.write(`plimsoll: ${message}\n`);
  };
  const warn = (message: string): void => {
    if (quiet) progress.clear();
    else fail(message);
  };
  const options = {
    db: settings.db,
    offline: settings.offline,
    layerBudget: layerBudgetOf(settings),
    clock: { now: io.now },
    engine: io.engine,
    ...proxyOf(settings, io.env),
  };
  const javaIndex = settings.javaIndex ?? (isFile(settings.db) ? `${settings.db}.java-index` : undefined);
  return {
    io,
    settings,
    palette: paletteFor(settings.color, io.stdout, io.env),
    progress,
    warn,
    fail,
    javaIndex,
    hasDatabase: () => isServer(settings.db) || existsSync(settings.db),
    open: () => {
      keepHeapSmall();
      return openScanner({ ...options, movesData: true });
    },
    openToRead: (more) => {
      const place = more?.files === true ? { db: ":memory:" } : {};
      const all = { ...options, ...more, ...place, ...indexOf(settings, javaIndex) };
      return openScanner(all).catch((error: unknown) => openUnwritable(error, all, warn));
    },
    source: async (word) => {
      if (word === "-" && "isTTY" in io.stdin && io.stdin.isTTY === true) {
        throw new UsageError(
          "- expects an archive on standard input, but that is a terminal: pipe one in, or name a file",
        );
      }
      return parseSource(word, {
        standardInput: io.stdin,
        registry: registryOptions(settings, io),
        engines: hostEngines(hostOf(io)),
      });
    },
    registry: async (login = {}) => ({
      ...registryOptions(settings, io),
      ...withoutUndefined(await credentialsOf(login, io)),
    }),
    platform: () => platformOf(settings.platform),
  };
}

/** Whether a database location names a PostgreSQL server, and not a file. */
function isServer(location: string): boolean {
  return /^postgres(?:ql)?:/.test(location);
}

function isFile(location: string): boolean {
  return !isServer(location) && location !== ":memory:";
}

/** The Java index for scanning: the one that a setting names, or the one beside the database if there is one. */
function indexOf(settings: Settings, javaIndex: string | undefined): Pick<ScannerOptions, "javaIndex"> {
  const isUsed = javaIndex !== undefined && (settings.javaIndex !== undefined || existsSync(javaIndex));
  return isUsed ? { javaIndex } : {};
}

function layerBudgetOf({ layerCpuSeconds, layerHeapMegabytes }: Settings): Partial<LayerBudget> {
  return {
    layerCpuSeconds,
    layerHeapMegabytes,
  };
}

async function openUnwritable(
  error: unknown,
  options: ScannerOptions,
  warn: (message: string) => void,
): Promise<Scanner> {
  if (!(error instanceof StoreError) || !unwritable.has(error.code)) throw error;
  warn(`${error.message}; the result will not be stored`);
  return openScanner(existsSync(options.db) ? { ...options, readOnly: true } : { ...options, db: ":memory:" });
}

const unwritable: ReadonlySet<string> = new Set(["cannot_open", "read_only"]);

function registryOptions(settings: Settings, io: CliIo): RegistryOptions {
  const { mirrors, insecureRegistries, offline } = settings;
  return {
    credentials: hostCredentials(hostOf(io)),
    certificates: hostCertificates(hostOf(io)),
    mirrors,
    insecure: insecureRegistries,
    offline,
    ...proxyOf(settings, io.env),
  };
}

async function credentialsOf(
  { username, passwordStdin }: LoginFlags,
  { stdin }: CliIo,
): Promise<Pick<RegistryOptions, "credentials">> {
  if (username === undefined && passwordStdin === undefined) return {};
  if (username === undefined || passwordStdin === undefined)
    throw new UsageError("--username and --password-stdin go together");
  const credential = { kind: "basic", username, password: await readPassword(stdin) } as const;
  return { credentials: { find: async () => credential } };
}

function hostOf(io: CliIo): HostEnvironment {
  return { ...hostEnvironment(), variables: io.env };
}

function platformOf(text: string | undefined): Platform | "all" | undefined {
  if (text === undefined || text === "all") return text;
  try {
    return parsePlatform(text);
  } catch (cause) {
    throw new UsageError(`--platform: ${(cause as Error).message}; or all`, { cause });
  }
}

/**
 * Resolves the settings of a command. Flags override the environment, which overrides the configuration files, which override the
 * defaults.
 * @throws UsageError if a setting is unknown or malformed
 */
export function resolveSettings(given: GivenSettings, fromFiles: GivenSettings, { env }: Pick<CliIo, "env">): Settings {
  return {
    db: defaultDatabase(env),
    ...defaultsInto("command"),
    ...withoutUndefined(fromFiles),
    ...withoutUndefined(settingsOfEnvironment(env)),
    ...withoutUndefined(given),
  };
}
