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

{{/* Names and labels */}}

{{- define "eas.fullname" -}}
{{ .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "eas.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default (ternary (include "eas.fullname" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "eas.selector" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "eas.labels" -}}
{{ include "eas.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Of every object: (dict "root" $ "suffix" "api-gateway" "component" "api-gateway" "labels" dict "annotations" dict). `name`: in place of the full name. */}}
{{- define "eas.metadata" -}}
{{- $labels := include "eas.labels" .root | fromYaml }}
{{- with .component }}{{ $labels = set $labels "app.kubernetes.io/component" . }}{{ end }}
name: {{ .name | default (include "eas.fullname" .root) }}{{ with .suffix }}-{{ . }}{{ end }}
labels: {{ mergeOverwrite (deepCopy .root.Values.commonLabels) (.labels | default dict) $labels | toYaml | nindent 2 }}
{{- with mergeOverwrite (deepCopy .root.Values.commonAnnotations) (.annotations | default dict) }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Of every pod: (dict "root" $ "own" $values "component" "api-gateway" "labels" dict "annotations" dict) */}}
{{- define "eas.podMetadata" -}}
{{- $labels := include "eas.selector" .root | fromYaml | merge (dict "app.kubernetes.io/component" .component) (.labels | default dict) }}
labels: {{ mergeOverwrite (deepCopy .root.Values.commonLabels) (include "eas.merged" (merge (dict "key" "podLabels") .) | fromYaml) $labels | toYaml | nindent 2 }}
{{- with mergeOverwrite (deepCopy (.annotations | default dict)) (include "eas.merged" (merge (dict "key" "podAnnotations") .) | fromYaml) }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Values for all pods and for those of one app: (dict "root" $ "own" $values "key" "tolerations").
"eas.own": the app's value, or else the general one. "eas.merged": maps, in which the app's entries win. "eas.joined": lists,
the general entries first.
*/}}

{{- define "eas.own" -}}
{{- with ternary (index .own .key) (index .root.Values .key) (hasKey .own .key) }}{{ toYaml . }}{{ end }}
{{- end }}

{{- define "eas.merged" -}}
{{ mergeOverwrite (deepCopy (index .root.Values .key)) (index .own .key | default dict) | toYaml }}
{{- end }}

{{- define "eas.joined" -}}
{{- with concat (index .root.Values .key) (index .own .key | default list) }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Where an app is called in the cluster: (dict "root" $ "app" "api-gateway") */}}
{{- define "eas.serviceUrl" -}}
{{- $port := (index .root.Values.apps .app).service.port | int }}
{{- printf "http://%s-%s%s" (include "eas.fullname" .root) .app (ternary "" (printf ":%d" $port) (eq $port 80)) }}
{{- end }}

{{/* Pods */}}

{{/* Of one app, whose own settings come first: (dict "root" $ "own" $values) */}}
{{- define "eas.graceSeconds" -}}
{{- $drain := (.own.settings | default dict).SHUTDOWN_SECONDS | default .root.Values.settings.SHUTDOWN_SECONDS | default 25 }}
{{- add .root.Values.preStopSeconds (int $drain) 10 }}
{{- end }}

{{/* What every pod has in common: (dict "root" $ "own" $values). `secretFiles`: what "eas.secretFiles" has. */}}
{{- define "eas.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with include "eas.own" (merge (dict "key" $key) $) }}
{{ $key }}: {{ . | nindent 2 }}
{{- end }}
{{- end }}
{{- with include "eas.own" (merge (dict "key" "priorityClassName") $) }}
priorityClassName: {{ . }}
{{- end }}
securityContext: {{ include "eas.own" (merge (dict "key" "podSecurityContext") $) | nindent 2 }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
  {{- with .root.Values.caSecretName }}
  - name: ca
    secret: { secretName: {{ . }} }
  {{- end }}
  {{- with .secretFiles }}
  - name: secrets
    projected:
      sources:
        {{- range . }}
        - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: {{ .variable }} }] }
        {{- end }}
  {{- end }}
  {{- with include "eas.joined" (merge (dict "key" "extraVolumes") $) }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}

{{/*
A container of the image: (dict "root" $ "own" $values "name" "app" "args" (list "seed") "env" "text of a list" "settings" true).
`settings`: with the ConfigMap. `command`: in place of the image's own.
*/}}
{{- define "eas.container" -}}
{{- $image := .root.Values.image }}
name: {{ .name }}
image: {{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end }}
imagePullPolicy: {{ $image.pullPolicy }}
{{- with .command }}
command: {{ toJson . }}
{{- end }}
args: {{ toJson .args }}
{{- $from := include "eas.joined" (merge (dict "key" "extraEnvFrom") $) }}
{{- if or .settings $from }}
envFrom:
  {{- if .settings }}
  - configMapRef: { name: {{ include "eas.fullname" .root }}-settings }
  {{- end }}
  {{- with $from }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}
{{- $more := include "eas.joined" (merge (dict "key" "extraEnv") $) }}
{{- if or .env $more .root.Values.caSecretName }}
env:
  {{- with .env }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- if .root.Values.caSecretName }}
  - { name: NODE_EXTRA_CA_CERTS, value: /etc/eas-ca/ca.crt }
  {{- end }}
  {{- with $more }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}
resources: {{ toYaml .own.resources | nindent 2 }}
securityContext: {{ include "eas.own" (merge (dict "key" "securityContext") $) | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .root.Values.caSecretName }}
  - { name: ca, mountPath: /etc/eas-ca, readOnly: true }
  {{- end }}
  {{- if .secretFiles }}
  - { name: secrets, mountPath: /etc/eas-secrets, readOnly: true }
  {{- end }}
  {{- with include "eas.joined" (merge (dict "key" "extraVolumeMounts") $) }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}

{{/*
Variables from Secrets: (dict "root" $ "required" (list "DATABASE_URL") "optional" (list "REDIS_URL")). What secretKeys names has to exist.
`secretFiles`: those of them that are files.
*/}}
{{- define "eas.secretVariables" -}}
{{- range $file := .secretFiles }}
- { name: {{ $file.variable }}_FILE, value: /etc/eas-secrets/{{ $file.variable }} }
{{- end }}
{{- range $key := concat .required .optional }}
{{- $other := index $.root.Values.secretKeys $key }}
{{- if not (and $.secretFiles (has $key $.root.Values.secretFiles)) }}
- name: {{ $key }}
  valueFrom:
    secretKeyRef:
      name: {{ ($other | default dict).name | default $.root.Values.secretName }}
      key: {{ ($other | default dict).key | default $key }}
      {{- if and (has $key $.optional) (not $other) }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Those of the variables that secretFiles names, with Secret and key: (dict "root" $ "variables" (list "DATABASE_URL")) */}}
{{- define "eas.secretFiles" -}}
{{- range $variable := .variables }}
{{- if has $variable $.root.Values.secretFiles }}
{{- $other := index $.root.Values.secretKeys $variable | default dict }}
- { variable: {{ $variable }}, name: {{ $other.name | default $.root.Values.secretName }}, key: {{ $other.key | default $variable }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Network policies */}}

{{/* The beginning of one: (dict "root" $ "name" "dns" "also" (dict "more" "labels") "annotations" dict) */}}
{{- define "eas.policy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{ include "eas.metadata" (dict "root" .root "suffix" .name "annotations" .annotations) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "eas.selector" .root | nindent 6 }}
      {{- with .also }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
{{- end }}

{{/* Peers as given, or else the pods of a namespace: (dict "peers" list "namespace" "monitoring") */}}
{{- define "eas.peers" -}}
{{- if .peers }}
{{- toYaml .peers }}
{{- else -}}
- namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ .namespace }} } }
{{- end }}
{{- end }}

{{/* The pods of an app as a peer: (dict "root" $ "component" "api-gateway") */}}
{{- define "eas.podPeer" -}}
- podSelector:
    matchLabels:
      {{- include "eas.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
