import type uPlot from 'uplot';
import { formatCount, formatValue } from '../components/format.ts';
import type { RunStyle } from './run-style.ts';

const maxLines = 12;

/** Shows, next to the cursor, the value of every run nearest to it. Plain DOM: it moves with every mouse move. */
export function attachTooltip(stylesOf: () => readonly RunStyle[], columnsPerRun: number): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'chart-tooltip';
  box.hidden = true;

  const update = (plot: uPlot): void => {
    const { idx, left = -1, top = 0 } = plot.cursor;
    if (left < 0 || idx === null || idx === undefined) {
      box.hidden = true;
      return;
    }
    const lines = stylesOf()
      .map((style, run) => ({ style, value: nearestValue(plot.data[run * columnsPerRun + 1], idx) }))
      .filter((line) => line.value !== null)
      .slice(0, maxLines);
    box.hidden = lines.length === 0;
    if (box.hidden) return;
    box.replaceChildren(
      headOf(plot.data[0][idx] ?? 0),
      ...lines.map((line) => rowOf(line.style, line.value)),
    );
    const isRight = left > plot.over.clientWidth / 2;
    box.style.left = isRight ? '' : `${left + 14}px`;
    box.style.right = isRight ? `${plot.over.clientWidth - left + 14}px` : '';
    box.style.top = `${Math.max(0, Math.min(top, plot.over.clientHeight - box.offsetHeight))}px`;
  };

  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: update,
    },
  };
}

/** The run's own last point at or before the cursor: runs are logged at different steps. */
function nearestValue(
  column: ArrayLike<number | null | undefined> | undefined,
  index: number,
): number | null {
  for (let at = index; column && at >= 0; at -= 1) {
    const value = column[at];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

function headOf(step: number): HTMLElement {
  const head = document.createElement('div');
  head.append(span('step'), span(formatCount(step)));
  return head;
}

function rowOf(style: RunStyle, value: number | null): HTMLElement {
  const row = document.createElement('div');
  const dot = span('');
  dot.className = 'dot';
  dot.style.background = `var(--series-${style.colorIndex})`;
  row.append(dot, span(style.label), span(formatValue(value)));
  return row;
}

function span(text: string): HTMLSpanElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
