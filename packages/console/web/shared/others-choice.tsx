import { AlertIcon } from "@primer/octicons-react";
import { texts } from "../texts/texts.ts";

const words = texts.conflict;

interface Props {
  /** The text of the visitor's choice. */
  readonly mine: string;
  /** The text of the stored value. */
  readonly theirs: string;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** A conflict between the visitor's choice and that of another user. */
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
