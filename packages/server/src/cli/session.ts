import { existsSync } from "node:fs";
import { safeText } from "@plimsoll/core/safe-text";
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
import { readFileSettings } from "../config/configuration-files.ts";
import { proxyOf } from "../config/proxy-settings.ts";
import { resolveSettings, type Settings } from "../config/resolve-settings.ts";
import type { GivenSettings } from "../config/settings.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { type Palette, paletteFor } from "../render/colour.ts";
import { UsageError } from "./exit-code.ts";
import type { CliIo } from "./io.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readPassword } from "./read-password.ts";

/** What flags may say. */
export interface GlobalFlags extends GivenSettings {
  readonly config?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** One call of the command: its settings and the ways it speaks to the user. */
export interface Session {
  readonly io: CliIo;
  readonly settings: Settings;
  readonly palette: Palette;
  readonly progress: Progress;
  /** Says something that is no result, on standard error, unless the user wants quiet. */
  warn(message: string): void;
  /** Whether there is a database: opening a file that is missing would create it. */
  hasDatabase(): boolean;
  /** Opens a scanner on the database to move feeds or all of it: it takes little memory. */
  open(): Promise<Scanner>;
  /** The same for commands that only read the database: one that cannot be written is no obstacle, just slower. */
  openToRead(options?: Pick<ScannerOptions, "indexesAtOnce">): Promise<Scanner>;
  /** The source that a word of the command line names. @throws ScanError `unsupported_source` */
  source(word: string): Promise<ImageSource>;
  /** How registries are reached: with the user's own credentials, or with those that flags name. @throws UsageError */
  registry(login?: LoginFlags): Promise<RegistryOptions>;
  /** The platform asked for. @throws UsageError */
  platform(): Platform | "all" | undefined;
}

/** With whose password a registry is asked, where that is not in the user's configuration. */
export interface LoginFlags {
  readonly username?: string;
  /** Whether the password stands on standard input. */
  readonly passwordStdin?: true;
}

/**
 * So long a command has to end in order once it is told to stop. What it has not committed by then is as if it had not begun, as
 * after a crash.
 */
const orderlyMs = 1_500;

/** @throws UsageError when a setting is malformed */
export async function startSession(flags: GlobalFlags, io: CliIo): Promise<Session> {
  io.endWithin?.(orderlyMs);
  const { quiet = false, verbose = false, config, ...given } = flags;
  const { given: fromFiles, files } = await readFileSettings(config, io);
  const settings = resolveSettings(given, fromFiles, io);
  const progress = createProgress(io.stderr, { quiet, verbose });
  for (const file of files) progress.say(`settings of ${safeText(file)}`);
  const warn = (message: string): void => {
    progress.clear();
    if (!quiet) io.stderr.write(`plimsoll: ${message}\n`);
  };
  const options = {
    db: settings.db,
    offline: settings.offline,
    layerBudget: layerBudgetOf(settings),
    clock: { now: io.now },
    ...(io.engine && { engine: io.engine }),
    ...proxyOf(settings, io.env),
  };
  return {
    io,
    settings,
    palette: paletteFor(settings.color, io.stdout, io.env),
    progress,
    warn,
    hasDatabase: () => isServer(settings.db) || existsSync(settings.db),
    open: () => {
      keepHeapSmall();
      return openScanner({ ...options, movesData: true });
    },
    openToRead: (more) => {
      const all = { ...options, ...more };
      return openScanner(all).catch((error: unknown) => openUnwritable(error, all, warn));
    },
    source: async (word) => {
      if (word === "-" && "isTTY" in io.stdin && io.stdin.isTTY === true) {
        throw new UsageError("- is an archive on standard input, which is a terminal: pipe one in, or name a file");
      }
      return parseSource(word, {
        standardInput: io.stdin,
        registry: registryOptions(settings, io),
        engines: hostEngines(hostOf(io)),
      });
    },
    registry: async (login = {}) => ({ ...registryOptions(settings, io), ...(await credentialsOf(login, io)) }),
    platform: () => platformOf(settings.platform),
  };
}

/** Whether a location of a database is none of a file. */
function isServer(location: string): boolean {
  return /^postgres(?:ql)?:/.test(location);
}

function layerBudgetOf({ layerCpuSeconds, layerHeapMegabytes }: Settings): Partial<LayerBudget> {
  return {
    ...(layerCpuSeconds === undefined ? {} : { layerCpuSeconds }),
    ...(layerHeapMegabytes === undefined ? {} : { layerHeapMegabytes }),
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
