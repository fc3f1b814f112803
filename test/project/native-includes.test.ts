import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const { checkNativeIncludes } = (await import(pathToFileURL('scripts/native-includes.mjs').href)) as {
  checkNativeIncludes: (folder: string) => string | null;
};

let native: string;

function write(file: string, ...includes: readonly string[]): void {
  mkdirSync(path.join(native, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(native, file), includes.map((each) => `#include ${each}\n`).join(''));
}

beforeEach(() => {
  native = mkdtempSync(path.join(os.tmpdir(), 'gymwright-native-'));
  write('include/gymwright/a.hpp');
  write('src/core/text.hpp');
  write('src/vm/machine.hpp');
  write('src/scenarios/one.cpp', '"gymwright/a.hpp"', '"core/text.hpp"', '<vector>');
});
afterEach(() => rmSync(native, { recursive: true, force: true }));

describe('checkNativeIncludes', () => {
  test('allows what the table allows', () => {
    write('addon/wrap.cpp', '"gymwright/a.hpp"', '<napi.h>');
    expect(checkNativeIncludes(native)).toBe(null);
  });

  test.each([
    ['src/sim/batch.cpp', '<napi.h>', /knows no Node/],
    ['src/sim/batch.cpp', '"../../addon/wrap.hpp"', null],
    ['src/scenarios/two.cpp', '"one.cpp"', /scenario/],
    ['src/scenarios/two.cpp', '"vm/machine.hpp"', /scenario/],
    ['addon/wrap.cpp', '"../src/core/text.hpp"', /through include/],
    ['include/gymwright/b.hpp', '"core/text.hpp"', /public headers/],
  ])('%s may not include %s', (file, include, why) => {
    write('addon/wrap.hpp');
    write(file, include);
    expect(checkNativeIncludes(native)).toMatch(why ?? /includes addon/);
  });

  test('reports a header cycle with its path', () => {
    write('include/gymwright/b.hpp', '"gymwright/c.hpp"');
    write('include/gymwright/c.hpp', '"gymwright/b.hpp"');
    expect(checkNativeIncludes(native)).toMatch(/include cycle: .*b\.hpp -> .*c\.hpp -> .*b\.hpp/);
  });
});
