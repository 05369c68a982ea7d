import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { type Notification, nameOf } from "./shown-notification.ts";

type Delivery = ResultOf<"GET /repository/{repository}/notification/{uuid}/deliveries">["deliveries"][number];

const words = texts.notifications.deliveries;

/** How often the history is fetched again while it is shown, in milliseconds. */
const refetchEveryMs = 2000;

interface Props {
  readonly repository: string;
  readonly notification: Notification;
}

/** The deliveries of a notification, with their outcomes. */
export function Deliveries({ repository, notification }: Props) {
  const params = { repository, uuid: notification.uuid };
  const deliveries = useOperation(
    "GET /repository/{repository}/notification/{uuid}/deliveries",
    { params },
    { refetchInterval: refetchEveryMs },
  );
  return (
    <section aria-labelledby="deliveries">
      <h3 id="deliveries">{words.title(nameOf(notification))}</h3>
      <Answered query={deliveries}>
        {({ deliveries: list }) => <Table columns={columns} rows={list} keyOf={({ id }) => id} empty={words.none} />}
      </Answered>
    </section>
  );
}

const columns: readonly Column<Delivery>[] = [
  { title: words.columns.began, cell: ({ began }) => <Time at={Date.parse(began)} /> },
  {
    title: words.columns.state,
    isName: true,
    cell: ({ state, is_test: isTest }) => `${words.states[state]}${isTest ? ` (${words.test})` : ""}`,
  },
  { title: words.columns.attempts, isNumber: true, cell: ({ attempts }) => formatCount(attempts) },
  { title: words.columns.detail, isText: true, cell: ({ detail }) => detail || "–" },
  {
    title: words.columns.payload,
    isText: true,
    cell: ({ payload }) => (
      <details>
        <summary>{words.show}</summary>
        <pre>{JSON.stringify(payload, undefined, 2)}</pre>
      </details>
    ),
  },
];
