import { useEffect, useRef } from "react";
import { Answered } from "../shared/answered.tsx";
import { texts } from "../texts/texts.ts";
import { type Build, type LogLine, phaseText, useBuildLog } from "./build-calls.ts";

const words = texts.builds;

/** What a build has printed, as it prints it. */
export function BuildLog({ repository, build }: { readonly repository: string; readonly build: Build }) {
  const log = useBuildLog(repository, build);
  return (
    <section aria-labelledby="build-log">
      <h3 id="build-log">{words.log(build.display_name)}</h3>
      {build.error !== null && <p className="failure">{build.error}</p>}
      <Answered query={log}>
        {({ lines }) =>
          lines.length === 0 ? <p className="empty">{words.noLog}</p> : <Lines text={lines.map(textOf).join("\n")} />
        }
      </Answered>
    </section>
  );
}

/** The end of the log stays in sight for those who look at it. */
function Lines({ text }: { readonly text: string }) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text may be longer than what was in sight
  useEffect(() => {
    if (isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={place}
      className="log"
      role="log"
      aria-labelledby="build-log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8;
      }}
    >
      {text}
    </pre>
  );
}

function textOf({ type, message }: LogLine): string {
  if (type === "phase") return words.phaseLine(phaseText(message));
  return type === "error" ? words.errorLine(message) : message;
}
