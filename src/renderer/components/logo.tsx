/** The mark: a loop of rounds with one agent inside, climbing. */
export function Logo() {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M26.5 11.5A11.5 11.5 0 1 0 27.5 16h-6" />
      <path d="M8.5 20.5l4.5-5 3.5 3 5-7" strokeWidth="2.2" />
      <circle cx="26.8" cy="7" r="1.6" fill="var(--accent)" stroke="none" />
    </svg>
  );
}
