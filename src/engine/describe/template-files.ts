import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError, findResources, readUtf8 } from '../files/index.ts';
import type { TemplateSource } from './describer.ts';

const folderName = 'describers';
const extension = '.yaml';

/** Where templates come from: a workspace's own, else the shipped ones. */
export interface TemplateFiles {
  /** Throws: input.notFound when a scenario has none; input.invalid when it is no file or not UTF-8; what fileError says. */
  read(scenario: string): TemplateSource;
}

/** Templates of a workspace (its folder `describers`), with the shipped ones as default; null: no workspace. */
export function openTemplates(
  workspaceRoot: string | null,
  resourcesFolder: string = shippedFolder(),
): TemplateFiles {
  return {
    read(scenario) {
      const own = workspaceRoot === null ? null : join(workspaceRoot, folderName, scenario + extension);
      const file =
        own !== null && existsSync(own) ? own : join(resourcesFolder, folderName, scenario + extension);
      if (!isName(scenario) || !existsSync(file)) throw noTemplate(scenario, own, resourcesFolder);
      return { path: file, text: readTemplate(file) };
    },
  };
}

function readTemplate(file: string): string {
  try {
    return readUtf8(file, file);
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : fileError(thrown, 'read', file);
  }
}

function isName(scenario: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(scenario);
}

function noTemplate(scenario: string, own: string | null, resourcesFolder: string): AppError {
  const shipped = readdirSync(join(resourcesFolder, folderName))
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .sort();
  const advice =
    own === null
      ? `write describers/${scenario}.yaml in the workspace, or name a file with --template`
      : `write ${own}`;
  return new AppError(
    'input.notFound',
    `there is no describer for "${scenario}"; there are ${shipped.join(', ')}: ${advice}.`,
    { data: { scenario, shipped } },
  );
}

function shippedFolder(): string {
  const found = findResources(folderName);
  if (found !== null) return found;
  throw new AppError(
    'input.notFound',
    `the shipped describers are missing: resources/${folderName} is not beside this build`,
  );
}
