export { type ExitCode, exitCodes } from "./cli/exit-code.ts";
export type { CliIo, LostLines, Output, OwnProcess } from "./cli/io.ts";
export { runCli } from "./cli/run-cli.ts";
export type {
  AmqpSettings,
  BrokerSettings,
  DeliverySettings,
  ExchangeDeclaration,
  NotificationSettings,
  StompSettings,
  WebhookSettings,
} from "./config/notification-settings.ts";
export type { OidcProviderSettings } from "./config/oidc-settings.ts";
export type { RegistryServiceSettings, StorageSettings } from "./config/registry-settings.ts";
export type { ServiceMode } from "./config/service-modes.ts";
export type { CompatibilityProfile } from "./config/service-settings.ts";
export type { SettingKind } from "./config/setting-kind.ts";
export type { TracingSettings } from "./config/tracing-settings.ts";
export type { Dependency } from "./health/readiness.ts";
export type { ProcessFigures, UnhandledKind } from "./metrics/process-figures.ts";
export type { WorkFigures } from "./metrics/work-figures.ts";
export type { Installation, InstallationStore } from "./serve/open-installation.ts";
export type { ScannerTables } from "./serve/service-parts.ts";
