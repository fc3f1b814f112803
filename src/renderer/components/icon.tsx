/** Path data on a 16 × 16 grid, stroked. */
const paths = {
  chevron: 'M6 4l4 4-4 4',
  folder: 'M1.8 4.2c0-.6.4-1 1-1h3l1.4 1.6h6c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H2.8c-.6 0-1-.4-1-1z',
  environment: 'M8 1.8l5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.8 5L8 8l5.2-3M8 8v6',
  prompt: 'M2.5 3h11v8h-6L4.5 13.5V11h-2zM5 6h6M5 8.4h4',
  experiment: 'M6 2h4M6.8 2v4.2L3.2 12.4c-.4.8.1 1.6 1 1.6h7.6c.9 0 1.4-.8 1-1.6L9.2 6.2V2M5 10h6',
  model:
    'M4.5 4.5h7v7h-7zM6.5 1.8v2.7M9.5 1.8v2.7M6.5 11.5v2.7M9.5 11.5v2.7M1.8 6.5h2.7M1.8 9.5h2.7M11.5 6.5h2.7M11.5 9.5h2.7',
  file: 'M4 1.8h5l3 3v9.4H4zM9 1.8v3h3',
  play: 'M4.5 3v10l8-5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4 4h8v8H4z',
  resume: 'M3.5 3.5v9M6.5 3.5v9l6.5-4.5z',
  step: 'M4.5 3.5v9l6-4.5zM12.5 3.5v9',
  stepBack: 'M11.5 3.5v9l-6-4.5zM3.5 3.5v9',
  chart: 'M2 2v12h12M4.5 10.5l3-3.5 2.2 2L13.5 4',
  watch: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 100 4 2 2 0 000-4z',
  memory: 'M3.5 2.5h9v11L8 10.5l-4.5 3zM6 5.5h4',
  inbox: 'M2 9l2-6h8l2 6v4H2zM2 9h3.5l1 1.8h3L10.5 9H14',
  compare: 'M5 2v12M11 2v12M2.5 5L5 2l2.5 3M8.5 11l2.5 3 2.5-3',
  problems: 'M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.6v.1',
  report: 'M3 1.8h10v12.4H3zM5.5 11.2V8.5M8 11.2V5M10.5 11.2V7',
  log: 'M3 3.5h10M3 6.5h7M3 9.5h10M3 12.5h5',
  search: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.3 10.3L14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.3 3.3L13 5',
  error: 'M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.6v.1',
  info: 'M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 7.3v3.8M8 4.9v.1',
  plus: 'M8 3v10M3 8h10',
  theme: 'M8 2a6 6 0 100 12zM8 2a6 6 0 010 12',
  engine: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v.1M5 11v.1',
  runs: 'M3 3h3v3H3zM10 3h3v3h-3zM3 10h3v3H3zM6 4.5h4M4.5 6v4M6 11.5h7',
  resetZoom: 'M2.5 6.5v-4h4M13.5 9.5v4h-4M2.5 2.5L7 7M13.5 13.5L9 9',
} as const;

export type IconName = keyof typeof paths;

/** A drawing from the workbench's own set; decorative unless it gets a title. */
export function Icon({ name, title, className }: { name: IconName; title?: string; className?: string }) {
  const classes = className ? `icon ${className}` : 'icon';
  const drawing = <path d={paths[name]} />;
  if (title === undefined) {
    return (
      <svg className={classes} viewBox="0 0 16 16" aria-hidden="true">
        {drawing}
      </svg>
    );
  }
  return (
    <svg className={classes} viewBox="0 0 16 16" role="img" aria-label={title}>
      {drawing}
    </svg>
  );
}
