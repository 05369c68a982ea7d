import { scannerMediaTypes } from "@plimsoll/http/scanner";
import { type AffectedSource, createNotifier, type UpdateSource } from "@plimsoll/notifier";
import { startJobWorker, systemTime } from "@plimsoll/store";
import { signToken } from "../auth/sign-token.ts";
import type { NotificationSettings } from "../config/notification-settings.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { issuersOf } from "./compatibility.ts";
import { unlessOutage } from "./open-database.ts";
import type { ServiceParts } from "./open-services.ts";
import { openTransport } from "./transport.ts";

/** What notifying needs. */
export interface NotifyingOptions extends ServiceParts {
  readonly notifications: NotificationSettings;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
}

/** How long a job whose process died waits for another: several missed heartbeats, and nobody misses a notification much. */
const leaseSeconds = 15;

/** Looks for updates and delivers what they change until `resources` is disposed of. */
export async function openNotifying(options: NotifyingOptions, resources: AsyncDisposableStack): Promise<void> {
  const { store, logger, clock, notifications, updates, affected, settings } = options;
  const { auth } = settings;
  const token = auth && (() => signToken(auth.key, issuersOf(settings).notifier, new Date(clock.now())));
  const notifier = createNotifier({
    store,
    clock,
    updates,
    affected,
    mode: notifications.mode,
    callback: notifications.callback,
    pollEveryMs: notifications.pollPeriodSeconds * 1000,
    transport: await openTransport(notifications.delivery, webhookType(settings), token),
  });
  await notifier.schedule();
  const onTrouble = unlessOutage((err) => logger.error({ err }, "jobs_failed"));
  const worker = startJobWorker({ store, handlers: notifier.handlers, leaseSeconds, ...systemTime, onTrouble });
  resources.defer(() => worker.stop());
}

/** Receivers of the reference profile look for JSON alone. */
function webhookType({ compatibility, vendor }: ServiceSettings): string {
  const [own, json] = scannerMediaTypes(vendor)("notification_webhook");
  return (compatibility === "reference" ? json : own) ?? "application/json";
}
