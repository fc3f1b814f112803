import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

/** One visible row of a tree, already flattened: collapsed children are not in the list. */
export interface TreeRow {
  readonly id: string;
  readonly depth: number;
  readonly label: string;
  /** Null for leaves. */
  readonly isExpanded: boolean | null;
}

export interface TreeViewProps<R extends TreeRow> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly selectedId: string | null;
  readonly onToggle: (row: R) => void;
  readonly onOpen: (row: R) => void;
  readonly renderRow: (row: R) => ReactNode;
  /** Space on a row that is not a branch. */
  readonly onMark?: (row: R) => void;
}

const rowHeight = 24;

/** A virtualised tree with one tab stop; arrow keys, Home, End, Enter, Space as in every tree. */
export function TreeView<R extends TreeRow>({
  label,
  rows,
  selectedId,
  onToggle,
  onOpen,
  renderRow,
  onMark,
}: TreeViewProps<R>) {
  const host = useRef<HTMLDivElement>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const focusedIndex = Math.max(
    0,
    rows.findIndex((row) => row.id === (focusedId ?? selectedId)),
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => host.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  const focusRow = (index: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (!row) return;
    setFocusedId(row.id);
    virtualizer.scrollToIndex(rows.indexOf(row));
  };

  const activate = (row: R): void => (row.isExpanded === null ? onOpen(row) : onToggle(row));

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[focusedIndex];
    if (!row) return;
    const parent = rows.slice(0, focusedIndex).findLastIndex((other) => other.depth < row.depth);
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusRow(focusedIndex + 1),
      ArrowUp: () => focusRow(focusedIndex - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      ArrowRight: () => (row.isExpanded === false ? onToggle(row) : focusRow(focusedIndex + 1)),
      ArrowLeft: () => (row.isExpanded ? onToggle(row) : parent >= 0 && focusRow(parent)),
      Enter: () => activate(row),
      ' ': () => (onMark ? onMark(row) : activate(row)),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <div ref={host} className="tree" role="tree" aria-label={label} tabIndex={0} onKeyDown={onKeyDown}>
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree element handles the keyboard
            <div
              key={row.id}
              className="tree-row"
              role="treeitem"
              tabIndex={-1}
              aria-level={row.depth + 1}
              aria-expanded={row.isExpanded ?? undefined}
              aria-selected={row.id === selectedId}
              data-focused={item.index === focusedIndex}
              style={{
                position: 'absolute',
                insetInline: 0,
                transform: `translateY(${item.start}px)`,
                paddingLeft: 6 + row.depth * 14,
              }}
              onClick={() => {
                setFocusedId(row.id);
                activate(row);
              }}
            >
              {row.isExpanded === null ? (
                <span className="twist" />
              ) : (
                <Icon name="chevron" className="twist" />
              )}
              {renderRow(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
