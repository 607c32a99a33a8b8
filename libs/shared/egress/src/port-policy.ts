import type { EgressPolicy } from './address-policy.ts';

/** Ports below this one are assigned to other protocols (mail, SSH, SMB, …), except those of HTTP. */
const firstFreePort = 1_024;

/** Ports from 1,024 on of services that do not receive webhooks but may act on what they are sent. */
const servicePorts = new Set([
  // Data stores and queues: SQL Server, Oracle, ZooKeeper, MySQL, PostgreSQL, AMQP, Redis, Cassandra, Kafka,
  // Elasticsearch, memcached, MongoDB.
  ...[1433, 1521, 2181, 3306, 5432, 5672, 6379, 9042, 9092, 9200, 9300, 11_211, 27_017, 27_018, 27_019],
  // Control of machines: Docker, etcd, Kubernetes, X11, remote desktop, VNC.
  ...[2375, 2376, 2379, 2380, 3389, 5900, 6443, 10_250, 10_255],
  // What browsers refuse as well (Fetch standard, "bad port").
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697],
  10_080,
]);

type PortPolicy = Pick<EgressPolicy, 'allowHttp' | 'deniedPorts'>;

/**
 * 443, 80 if http is allowed, and ports from 1,024 on that are neither known for other services nor used by this one.
 */
export function isAllowedPort({ protocol, port }: URL, { allowHttp, deniedPorts = [] }: PortPolicy): boolean {
  const number = port === '' ? defaultPort(protocol) : Number(port);
  if (deniedPorts.includes(number)) return false;
  if (number === 443) return true;
  if (number === 80) return allowHttp;
  return number >= firstFreePort && !servicePorts.has(number);
}

function defaultPort(protocol: string): number {
  return protocol === 'http:' ? 80 : 443;
}
