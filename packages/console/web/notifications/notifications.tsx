import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { NewNotification } from "./new-notification.tsx";
import { type NotificationOwner, notificationCalls } from "./notification-calls.ts";

const words = texts.notifications;

/** The notifications of a repository or a namespace, with the history of the one in the address. */
export function Notifications({ owner }: { readonly owner: NotificationOwner }) {
  const { list, remove, params, isOfRepository } = notificationCalls(owner);
  const [chosen, choose] = useSearchParam("notification");
  const given = { params, query: {} };
  const notifications = usePages(list, given);
  const shownName: Column<Notification> = {
    title: words.columns.title,
    isName: true,
    text: nameOf,
    cell: (each) => (
      <Disclosure isOpen={chosen === each.uuid} onToggle={() => choose(chosen === each.uuid ? "" : each.uuid)}>
        {nameOf(each)}
      </Disclosure>
    ),
  };
  const actions: Column<Notification> = {
    title: words.columns.actions,
    cell: (each) => <NotificationActions owner={owner} notification={each} onTest={() => choose(each.uuid)} />,
  };
  return (
    <Section title={words.title} about={isOfRepository ? words.about : words.aboutNamespace}>
      <NewNotification owner={owner} />
      <Paged query={notifications}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.notifications);
          const shown = rows.find(({ uuid }) => uuid === chosen);
          return (
            <>
              <Table
                columns={[shownName, ...columns, actions]}
                rows={rows}
                keyOf={({ uuid }) => uuid}
                empty={words.none}
                file={{
                  name: `${params.repository.replaceAll("/", "-")}-notifications`,
                  all: () => readAllRows(list, given, (page) => page.notifications),
                }}
                choice={{
                  nameOf,
                  actions: (some) => (
                    <ChosenButton
                      label={words.removeChosen}
                      consequence={words.removedChosen(some.length)}
                      operation={remove}
                      affected={[list]}
                      given={some.map(({ uuid }) => ({ params: { ...params, uuid } }))}
                    />
                  ),
                }}
              />
              {shown !== undefined && <Deliveries owner={owner} notification={shown} />}
            </>
          );
        }}
      </Paged>
    </Section>
  );
}

const columns: readonly Column<Notification>[] = [
  { title: words.columns.event, cell: ({ event }) => words.events[event as keyof typeof words.events] ?? event },
  { title: words.columns.method, cell: ({ method }) => words.methods[method as keyof typeof words.methods] ?? method },
  { title: words.columns.to, isText: true, cell: receiverOf },
  { title: words.columns.failures, isNumber: true, cell: ({ number_of_failures: count }) => formatCount(count) },
];

interface Props {
  readonly owner: NotificationOwner;
  readonly notification: Notification;
  readonly onTest: () => void;
}

/** Buttons that test, reset and delete a notification. */
function NotificationActions({ owner, notification, onTest }: Props) {
  const { uuid, number_of_failures: failures } = notification;
  const { list, params, ...calls } = notificationCalls(owner);
  const given = { params: { ...params, uuid } };
  const test = useChange(calls.test, [calls.deliveries]);
  const reset = useChange(calls.reset, [list]);
  const removal = useChange(calls.remove, [list]);
  return (
    <>
      <ActionButton label={words.test} change={test} given={given} onDone={onTest} />
      {failures > 0 && <ActionButton label={words.reset} change={reset} given={given} />}
      <ConfirmedButton label={words.remove} consequence={words.removed} change={removal} given={given} />
    </>
  );
}

type Delivery = ResultOf<"GET /repository/{repository}/notification/{uuid}/deliveries">["deliveries"][number];

const deliveryWords = texts.notifications.deliveries;

/** How often the history is fetched again while it is shown, in milliseconds. */
const refetchEveryMs = 2000;

interface DeliveryProps {
  readonly owner: NotificationOwner;
  readonly notification: Notification;
}

/** The deliveries of a notification, with their outcomes. */
function Deliveries({ owner, notification }: DeliveryProps) {
  const calls = notificationCalls(owner);
  const deliveries = useOperation(
    calls.deliveries,
    { params: { ...calls.params, uuid: notification.uuid } },
    { refetchInterval: refetchEveryMs },
  );
  return (
    <section aria-labelledby="deliveries">
      <h3 id="deliveries">{deliveryWords.title(nameOf(notification))}</h3>
      <Answered query={deliveries}>
        {({ deliveries: list }) => (
          <Table columns={deliveryColumns} rows={list} keyOf={({ id }) => id} empty={deliveryWords.none} />
        )}
      </Answered>
    </section>
  );
}

const deliveryColumns: readonly Column<Delivery>[] = [
  { title: deliveryWords.columns.began, cell: ({ began }) => <Time at={Date.parse(began)} /> },
  {
    title: deliveryWords.columns.state,
    isName: true,
    cell: ({ state, is_test: isTest }) => `${deliveryWords.states[state]}${isTest ? ` (${deliveryWords.test})` : ""}`,
  },
  { title: deliveryWords.columns.attempts, isNumber: true, cell: ({ attempts }) => formatCount(attempts) },
  { title: deliveryWords.columns.detail, isText: true, cell: ({ detail }) => detail || "–" },
  {
    title: deliveryWords.columns.payload,
    isText: true,
    cell: ({ payload }) => (
      <details>
        <summary>{deliveryWords.show}</summary>
        <pre>{JSON.stringify(payload, undefined, 2)}</pre>
      </details>
    ),
  },
];

/** A notification as the management API shows it. */
export type Notification = ResultOf<"GET /repository/{repository}/notification/">["notifications"][number];

/** The name of a notification; without one, the text of its event. */
export function nameOf({ title, event }: Notification): string {
  return title ?? words.events[event as keyof typeof words.events] ?? event;
}

/** The recipient of a notification: a URL, an e-mail address, or the name of a user, team or organization. */
export function receiverOf({ config }: Pick<Notification, "config">): string {
  const { url, email, target } = config as {
    readonly url?: string;
    readonly email?: string;
    readonly target?: { readonly name?: string };
  };
  return url ?? email ?? target?.name ?? "–";
}
