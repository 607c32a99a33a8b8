{{/* What the chart knows of each app: its ports, the values it takes from the Secret, whether it calls public addresses. */}}
{{- define "eas.apps" -}}
api-gateway:
  port: 3000
  portSetting: PORT
  internet: true
  secrets: [REDIS_URL, BOOTSTRAP_API_KEY, BOOTSTRAP_OAUTH_CLIENT, ADMIN_EMAIL, ADMIN_PASSWORD]
webhook-receiver:
  port: 3001
  portSetting: RECEIVER_PORT
  secrets: []
workflow-orchestrator:
  queue: workflow
  internet: true
  secrets: [REDIS_URL]
webhook-dispatcher:
  queue: webhooks
  internet: true
  secrets: [REDIS_URL]
analytics-aggregator:
  queue: analytics
  secrets: [REDIS_URL]
{{- end }}

{{- define "eas.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "eas.labels" -}}
{{ include "eas.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "eas.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Of one app, whose own settings come first: (dict "root" $ "settings" $values.settings) */}}
{{- define "eas.graceSeconds" -}}
{{- $drain := .settings.SHUTDOWN_SECONDS | default .root.Values.settings.SHUTDOWN_SECONDS | default 25 }}
{{- add .root.Values.preStopSeconds (int $drain) 10 }}
{{- end }}

{{/* Where the certificates of a private authority are mounted, for Node: nothing without caSecretName. */}}
{{- define "eas.caVariable" -}}
{{- if .Values.caSecretName }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/eas-ca/ca.crt }
{{- end }}
{{- end }}

{{- define "eas.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.caSecretName }}
- { name: ca, mountPath: /etc/eas-ca, readOnly: true }
{{- end }}
{{- end }}

{{- define "eas.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- with .Values.caSecretName }}
- name: ca
  secret: { secretName: {{ . }} }
{{- end }}
{{- end }}

{{- define "eas.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "eas.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* A variable from the Secret: (dict "root" $ "key" "REDIS_URL" "optional" true) */}}
{{- define "eas.secretVariable" -}}
- name: {{ .key }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secretName }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{/* Where pods may run. */}}
{{- define "eas.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* The beginning of a NetworkPolicy: (dict "root" $ "name" "dns" "also" (dict "more" "labels")) */}}
{{- define "eas.policy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels: {{ include "eas.labels" .root | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "eas.selector" .root | nindent 6 }}
      {{- with .also }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
{{- end }}
