/** The logo of the program: a ship's load line. `design/icon.svg` is the same for browser tabs. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
      <circle cx="16" cy="16" r="11" />
      <path d="M2 16h28" />
    </svg>
  );
}
