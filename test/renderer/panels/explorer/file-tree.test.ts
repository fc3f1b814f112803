import { describe, expect, test } from 'vitest';
import { fileRows } from '../../../../src/renderer/panels/explorer/file-tree.ts';
import type { WorkspaceEntry } from '../../../../src/shared/contract/workspace.ts';

const entry = (path: string, kind: WorkspaceEntry['kind']): WorkspaceEntry => ({
  path,
  kind,
  size: 1,
  modifiedAt: 0,
});
const entries = [
  entry('README.md', 'prompt'),
  entry('environments', 'folder'),
  entry('environments/b10.edl', 'environment'),
  entry('environments/b2.edl', 'environment'),
];

describe('fileRows', () => {
  test('shows folders first and numbers in their order', () => {
    const rows = fileRows(entries, new Set(), new Set());
    expect(rows.map((row) => row.label)).toEqual(['environments', 'b2.edl', 'b10.edl', 'README.md']);
    expect(rows.map((row) => row.depth)).toEqual([0, 1, 1, 0]);
  });

  test('leaves out what lies in a collapsed folder and marks unsaved files', () => {
    const rows = fileRows(entries, new Set(['environments']), new Set(['README.md']));
    expect(rows.map((row) => [row.label, row.isExpanded, row.isDirty])).toEqual([
      ['environments', false, false],
      ['README.md', null, true],
    ]);
  });
});
