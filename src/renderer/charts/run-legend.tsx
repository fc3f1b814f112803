import type { RunStyle } from './run-style.ts';

/** Which line is which run; shared by all charts of a panel. */
export function RunLegend({ styles }: { styles: readonly RunStyle[] }) {
  return (
    <ul className="legend" aria-label="Runs shown">
      {styles.map((style) => (
        <li key={style.runId}>
          <svg className="swatch" viewBox="0 0 18 8" aria-hidden="true">
            <line
              x1="0"
              y1="4"
              x2="18"
              y2="4"
              stroke={`var(--series-${style.colorIndex})`}
              strokeWidth="2.5"
              strokeDasharray={style.dash.join(' ')}
            />
          </svg>
          {style.label}
        </li>
      ))}
    </ul>
  );
}
