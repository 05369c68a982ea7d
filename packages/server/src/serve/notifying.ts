import { type AffectedSource, createNotifier, type UpdateSource } from "@plimsoll/notifier";
import { scannerMediaTypes } from "@plimsoll/scanner-api";
import { signToken } from "../auth/sign-token.ts";
import type { NotificationSettings } from "../config/notification-settings.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { issuersOf } from "./compatibility.ts";
import { watchedTransport } from "./outages.ts";
import type { ServiceParts } from "./service-parts.ts";
import { startJobs } from "./start-jobs.ts";
import { openTransport } from "./transport.ts";

/** The parts of the notifier of this process. */
export interface NotifyingOptions extends ServiceParts {
  readonly notifications: NotificationSettings;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
}

/** Starts the notifier: it finds updates and delivers notifications until `resources` is disposed. */
export async function openNotifying(options: NotifyingOptions, resources: AsyncDisposableStack): Promise<void> {
  const { store, logger, clock, notifications, updates, affected, settings, outages, tracer } = options;
  const { auth } = settings;
  const token = auth && (() => signToken(auth.key, issuersOf(settings).notifier, new Date(clock.now())));
  const webhook = { mediaType: webhookType(settings), sign: token, proxy: settings.proxy, clock };
  const notifier = createNotifier({
    store,
    clock,
    updates,
    affected,
    mode: notifications.mode,
    callback: notifications.callback,
    pollEveryMs: notifications.pollPeriodSeconds * 1000,
    transport: watchedTransport(await openTransport(notifications.delivery, webhook, resources), outages.notifications),
  });
  await startJobs({ ...notifier, store, settings, logger, tracer }, resources);
}

/** In the reference profile, receivers expect plain JSON. */
function webhookType({ compatibility, vendor }: ServiceSettings): string {
  const [own, json] = scannerMediaTypes(vendor)("notification_webhook");
  return (compatibility === "reference" ? json : own) ?? "application/json";
}
