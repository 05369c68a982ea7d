import { AlertIcon } from "@primer/octicons-react";
import { texts } from "../texts/texts.ts";

const words = texts.conflict;

interface Props {
  /** What the visitor has chosen, in words. */
  readonly mine: string;
  /** What is there now. */
  readonly theirs: string;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** What another has chosen where the visitor chose something else. */
export function OthersChoice({ mine, theirs, onKeep, onTake }: Props) {
  return (
    <div className="failure" role="alert">
      <p>
        <AlertIcon /> <strong>{words.title}</strong>
      </p>
      <p>{words.choice(mine, theirs)}</p>
      <div className="actions">
        <button type="button" onClick={onKeep}>
          {words.keepMine}
        </button>
        <button type="button" onClick={onTake}>
          {words.takeTheirs}
        </button>
      </div>
    </div>
  );
}
