import { AlertIcon, InfoIcon, StopIcon, XIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Lazily } from "../shared/lazily.tsx";
import { texts } from "../texts/texts.ts";

type Message = ResultOf<"GET /messages">["messages"][number];

const words = texts.messages;

/** Messages of the operators to all users, without those that were put away in this browser. */
export function GlobalMessages() {
  const { data } = useOperation("GET /messages", { query: {} }, { staleTime: 300_000 });
  const [away, setAway] = useState(readAway);
  const shown = (data?.messages ?? []).filter(({ uuid }) => !away.has(uuid));
  const putAway = (uuid: string) => {
    const still = (data?.messages ?? []).filter((each) => away.has(each.uuid) || each.uuid === uuid);
    localStorage.setItem(awayKey, still.map((each) => each.uuid).join(" "));
    setAway(readAway());
  };
  return shown.map((message) => (
    <OneMessage key={message.uuid} message={message} onAway={() => putAway(message.uuid)} />
  ));
}

const looks = {
  info: { Icon: InfoIcon, className: "notice" },
  warning: { Icon: AlertIcon, className: "notice warning" },
  error: { Icon: StopIcon, className: "failure" },
} as const satisfies Record<Message["severity"], unknown>;

interface Props {
  readonly message: Message;
  readonly onAway: () => void;
}

function OneMessage({ message: { content, severity, media_type: type }, onAway }: Props) {
  const { Icon, className } = looks[severity];
  return (
    <div className={`${className} message`}>
      <Icon aria-label={words.severities[severity]} />
      {type === "text/markdown" ? (
        <Lazily name="markdown" load={loadMarkdown}>
          {(Markdown) => <Markdown text={content} />}
        </Lazily>
      ) : (
        <p dir="auto">{content}</p>
      )}
      <button type="button" className="quiet icon" aria-label={words.putAway} title={words.putAway} onClick={onAway}>
        <XIcon />
      </button>
    </div>
  );
}

const loadMarkdown = async () => (await import("../shared/markdown.tsx")).Markdown;

/** Where the browser keeps which messages were put away: their ids, separated by spaces. */
const awayKey = "messages-put-away";

function readAway(): ReadonlySet<string> {
  return new Set((localStorage.getItem(awayKey) ?? "").split(" "));
}
