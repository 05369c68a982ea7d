import { useChange } from "../api/use-change.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { texts } from "../texts/texts.ts";
import type { Notification } from "./shown-notification.ts";

const words = texts.notifications;

interface Props {
  readonly repository: string;
  readonly notification: Notification;
  readonly onTest: () => void;
}

/** Buttons that test, reset and delete a notification. */
export function NotificationActions({ repository, notification, onTest }: Props) {
  const { uuid, number_of_failures: failures } = notification;
  const given = { params: { repository, uuid } };
  const test = useChange("POST /repository/{repository}/notification/{uuid}/test", [
    "GET /repository/{repository}/notification/{uuid}/deliveries",
  ]);
  const reset = useChange("POST /repository/{repository}/notification/{uuid}", [
    "GET /repository/{repository}/notification/",
  ]);
  const removal = useChange("DELETE /repository/{repository}/notification/{uuid}", [
    "GET /repository/{repository}/notification/",
  ]);
  return (
    <>
      <ActionButton label={words.test} change={test} given={given} onDone={onTest} />
      {failures > 0 && <ActionButton label={words.reset} change={reset} given={given} />}
      <ConfirmedButton label={words.remove} consequence={words.removed} change={removal} given={given} />
    </>
  );
}
