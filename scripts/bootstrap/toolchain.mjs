import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { BootstrapError } from './report.mjs';

const runs = (command, args = ['--version']) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function hasVisualStudio() {
  const vswhere = path.join(
    process.env['ProgramFiles(x86)'] ?? '',
    'Microsoft Visual Studio',
    'Installer',
    'vswhere.exe',
  );
  const query = [
    '-products',
    '*',
    '-requires',
    'Microsoft.VisualStudio.Component.VC.Tools.x86.x64',
    '-property',
    'installationPath',
  ];
  if (runs('cl', [])) return true;
  return existsSync(vswhere) && spawnSync(vswhere, query, { encoding: 'utf8' }).stdout.trim() !== '';
}

function hasCompiler() {
  if (process.platform === 'win32') return hasVisualStudio();
  const candidates = process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'];
  return candidates.some((command) => runs(command));
}

/** Names what is missing for the native build, or throws nothing. */
export function requireToolchain() {
  const missing = [];
  if (!runs('cmake')) missing.push('CMake');
  if (!hasCompiler()) missing.push('a C++20 compiler');
  if (missing.length === 0) return;
  throw new BootstrapError(
    [
      `building the native simulator needs ${missing.join(' and ')}, not found on this machine. To install:`,
      '  Debian, Ubuntu:  sudo apt-get install -y cmake build-essential',
      '  macOS:           xcode-select --install && brew install cmake',
      '  Windows:         winget install Kitware.CMake && winget install Microsoft.VisualStudio.2022.BuildTools \\',
      '                     --override "--add Microsoft.VisualStudio.Workload.VCTools --includeRecommended --passive"',
      'Then run the same command again.',
    ].join('\n'),
  );
}
