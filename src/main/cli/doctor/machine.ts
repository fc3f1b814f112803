import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findPackageFolder } from '../../package-folder.ts';
import { hasParts } from '../workspace-folder.ts';
import { type Finding, limited, missing, ok } from './check.ts';

const lowDiskBytes = 2e9;
const neededNodeApi = 10;

export function checkNode(versions: NodeJS.ProcessVersions = process.versions): Finding {
  const detail = `${versions.node} (Node-API ${versions.napi ?? 'unknown'})`;
  if (Number(versions.napi ?? versions.modules) >= neededNodeApi) return ok('Node', detail);
  return missing(
    'Node',
    detail,
    'start through `npm start` or the gymwright command, which use the Node beside the project',
  );
}

export function checkCores(): Finding {
  const gigabytes = (os.totalmem() / 1e9).toFixed(1);
  return ok(
    'machine',
    `${os.availableParallelism()} cores, ${gigabytes} GB memory, ${os.platform()} ${os.arch()}`,
  );
}

export function checkDisplay(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Finding {
  if (platform !== 'linux') return ok('display', platform);
  const display = env.WAYLAND_DISPLAY ?? env.DISPLAY;
  if (display) return ok('display', display);
  return limited(
    'display',
    'neither DISPLAY nor WAYLAND_DISPLAY is set',
    'the workbench is shown in a browser: `gymwright serve`',
  );
}

export function checkElectron(folder: string): Finding {
  const electron = path.join(folder, 'node_modules', 'electron');
  const named = path.join(electron, 'path.txt');
  const binary = existsSync(named) ? path.join(electron, 'dist', readFileSync(named, 'utf8').trim()) : null;
  if (binary !== null && existsSync(binary)) return ok('Electron', binary);
  return limited(
    'Electron',
    'its binary is not downloaded',
    '`npx install-electron` fetches it; without it the workbench is shown in a browser: `gymwright serve`',
  );
}

export function checkBundles(folder: string): Finding {
  const page = path.join(folder, 'out', 'renderer', 'index.html');
  if (existsSync(page)) return ok('workbench', page);
  return limited(
    'workbench',
    'its pages are not built',
    '`npm run build` builds them; the command line works without',
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function checkFolder(root: string): Finding {
  if (root === findPackageFolder())
    return limited(
      'workspace',
      `${root} is the clone of Gymwright itself`,
      'keep your work apart: make a workspace with `gymwright init DIR`, name it with --workspace DIR',
    );
  if (!hasParts(root))
    return limited(
      'workspace',
      `${root} is none`,
      'name one with --workspace DIR, or make one with `gymwright init DIR`',
    );
  if (isWritable(root)) return ok('workspace', root);
  return missing(
    'workspace',
    `${root} may not be written to`,
    'name another folder with --workspace, or change its permissions',
  );
}

export function checkWorkspace(root: string): Finding[] {
  const { bavail, bsize } = statfsSync(root);
  const free = bavail * bsize;
  const space = `${(free / 1e9).toFixed(1)} GB free at ${root}`;
  return [
    checkFolder(root),
    free >= lowDiskBytes
      ? ok('disk', space)
      : limited('disk', space, 'checkpoints and metrics of a study need some hundred MB: free some space'),
  ];
}

export function checkModels(root: string): Finding {
  const folder = path.join(root, 'models');
  const models = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.gguf')) : [];
  if (models.length > 0) return ok('models', models.join(', '));
  return limited(
    'models',
    `no .gguf file in ${folder}`,
    'coaches are the rule coach until a model is there; see docs/coach',
  );
}
