import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export const composePath = resolve(import.meta.dirname, '../../docker-compose.yml');

export type Service = {
  image: string;
  pull_policy?: string;
  command?: string[];
  build?: { args?: Record<string, string> };
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  volumes?: string[];
  healthcheck?: { test: string[] };
  environment: Record<string, string>;
  profiles?: string[];
};

export const { services } = parse(readFileSync(composePath, 'utf8'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};

export function serviceOf(name: string): Service {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}
