{{/* Names. The release name is also the service name, and part of every certificate, so it is used unchanged. */}}
{{- define "plimsoll.labels" -}}
app.kubernetes.io/name: plimsoll
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* All pods of the fleet: agents, and the run. */}}
{{- define "plimsoll.selector" -}}
app.kubernetes.io/name: plimsoll
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plimsoll.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "plimsoll.domain" -}}
{{ .Release.Name }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end }}

{{/* Releases of 1.0 that are upgraded with --reuse-values have no kind. */}}
{{- define "plimsoll.kind" -}}
{{ .Values.agents.kind | default "StatefulSet" }}
{{- end }}

{{/* Name of the Job or StatefulSet; the host name of a pod is this name and its index. */}}
{{- define "plimsoll.agents" -}}
{{- $name := printf "%s-agent" .Release.Name -}}
{{- if eq (include "plimsoll.kind" .) "Job" -}}
{{- $name = printf "%s-%s" $name .Values.run.id -}}
{{- end -}}
{{- if gt (len $name) 59 -}}
{{- fail (printf "run.id: the agents would be called %s-N, and a host name has at most 63 letters" $name) -}}
{{- end -}}
{{ $name }}
{{- end }}

{{/* Not empty if the run is new, or if the Job already exists. Arguments: the root, name of the Job. */}}
{{- define "plimsoll.starts" -}}
{{- $root := index . 0 -}}
{{- $run := printf "%s-run-%s" $root.Release.Name $root.Values.run.id -}}
{{- if or (not (lookup "v1" "ConfigMap" $root.Release.Namespace $run)) (lookup "batch/v1" "Job" $root.Release.Namespace (index . 1)) -}}
yes
{{- end -}}
{{- end }}

{{/* Addresses of the first agents (at most three), from which each pod learns about all agents. */}}
{{- define "plimsoll.join" -}}
{{- $root := . -}}
{{- $first := list -}}
{{- range $i := until (min 3 (int .Values.agents.replicas) | int) -}}
{{- $first = append $first (printf "%s-%d.%s:%d" (include "plimsoll.agents" $root) $i (include "plimsoll.domain" $root) (int $root.Values.agents.port)) -}}
{{- end -}}
{{- join "," $first -}}
{{- end }}

{{/* An argument of a command. Helm reads numbers of a file as floats, and would write 1000000 as 1e+06. */}}
{{- define "plimsoll.argument" -}}
{{ ternary . (toJson .) (kindIs "string" .) | quote }}
{{- end }}

{{/* Certificate volume: a directory per pod, or 'all' with one secret. Arguments: the root, names of the pods. */}}
{{- define "plimsoll.certVolume" -}}
{{- $root := index . 0 -}}
{{- $certs := $root.Values.certs -}}
{{- if not (or $certs.secret $certs.secretPrefix) -}}
{{- fail (printf "certs: pods speak mutual TLS alone; make a certificate for all of them with 'plimsoll fleet certs DIR *.%s' and name its secret in certs.secret, or one for each in certs.secretPrefix, see deploy/README.md" (include "plimsoll.domain" $root)) -}}
{{- end -}}
name: certs
projected:
  defaultMode: 0440
  sources:
    {{- if $certs.secret }}
    {{- include "plimsoll.certFiles" (list $certs.secret "all") | nindent 4 }}
    {{- else }}
    {{- range $pod := index . 1 }}
    {{- include "plimsoll.certFiles" (list (printf "%s-%s" $certs.secretPrefix $pod) $pod) | nindent 4 }}
    {{- end }}
    {{- end }}
{{- end }}

{{/* Files of one secret; the certificate revocation list is optional. Arguments: name of the secret, directory. */}}
{{- define "plimsoll.certFiles" -}}
- secret:
    name: {{ index . 0 | quote }}
    items:
      {{- range $file := list "host.p12" "fleet.p12" "password" }}
      - {key: {{ $file }}, path: {{ printf "%s/%s" (index $ 1) $file | quote }}}
      {{- end }}
- secret:
    name: {{ index . 0 | quote }}
    optional: true
    items:
      - {key: crl.pem, path: {{ printf "%s/crl.pem" (index . 1) | quote }}}
{{- end }}

{{- define "plimsoll.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "plimsoll.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "plimsoll.agentPod" -}}
{{- $name := include "plimsoll.agents" . -}}
{{- $pods := list -}}
{{- range $i := until (int .Values.agents.replicas) -}}
{{- $pods = append $pods (printf "%s-%d" $name $i) -}}
{{- end -}}
metadata:
  labels:
    {{- include "plimsoll.labels" . | nindent 4 }}
    app.kubernetes.io/component: agent
spec:
  # An agent does not use the Kubernetes API.
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- if eq (include "plimsoll.kind" .) "Job" }}
  # Kubernetes sets the host name to the name of the Job and the index. A lost agent is not replaced, because a new
  # agent cannot join the run.
  subdomain: {{ .Release.Name }}
  restartPolicy: Never
  {{- end }}
  securityContext:
    {{- include "plimsoll.podSecurity" . | nindent 4 }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # The load stops within five seconds of the signal.
  terminationGracePeriodSeconds: 15
  {{- if .Values.agents.spread }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: {{ ternary "DoNotSchedule" "ScheduleAnyway" (eq (toString .Values.agents.spread) "required") }}
      labelSelector:
        matchLabels:
          {{- include "plimsoll.selector" . | nindent 10 }}
          app.kubernetes.io/component: agent
  {{- end }}
  {{- with .Values.agents.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.agents.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.agents.calibrate }}
  # Writes the calibration to the pod's /tmp, from which the agent reads it.
  initContainers:
    - name: calibrate
      args:
        - calibrate
        {{- range . }}
        - {{ include "plimsoll.argument" . }}
        {{- end }}
      {{- include "plimsoll.agentContainer" $ | nindent 6 }}
  {{- end }}
  containers:
    - name: agent
      args:
        - agent
        - --listen
        - $(POD_NAME).{{ include "plimsoll.domain" . }}:{{ .Values.agents.port }}
        - --join
        - {{ include "plimsoll.join" . }}
        - --name
        - $(POD_NAME)
        - --certs
        - /certs
        {{- if eq (include "plimsoll.kind" .) "Job" }}
        - --runs
        - "1"
        - --idle-timeout
        - {{ .Values.agents.idleTimeout | default "10m" }}
        {{- end }}
        {{- if .Values.agents.payloads }}
        - --data
        - /data
        {{- end }}
        {{- range $name, $value := .Values.agents.labels }}
        - --labels
        - {{ printf "%s=%s" $name $value | quote }}
        {{- end }}
      ports:
        - {name: fleet, containerPort: {{ .Values.agents.port }}}
      readinessProbe:
        tcpSocket: {port: fleet}
        periodSeconds: 10
      {{- include "plimsoll.agentContainer" . | nindent 6 }}
  volumes:
    - {{- include "plimsoll.certVolume" (list . $pods) | nindent 6 }}
    {{- if .Values.agents.payloads }}
    - name: data
      configMap: {name: {{ .Values.agents.payloads | quote }}}
    {{- end }}
    - name: tmp
      emptyDir: {sizeLimit: 1Gi}
{{- end }}

{{/* Container settings that an agent and its calibration share. */}}
{{- define "plimsoll.agentContainer" -}}
image: {{ include "plimsoll.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  {{- if eq (include "plimsoll.kind" .) "Job" }}
  - name: INDEX
    valueFrom: {fieldRef: {fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}
  - {name: POD_NAME, value: {{ include "plimsoll.agents" . }}-$(INDEX)}
  {{- else }}
  - name: POD_NAME
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  {{- end }}
  {{- $resources := .Values.agents.resources }}
  {{- if and (dig "requests" "cpu" "" $resources) (not (dig "limits" "cpu" "" $resources)) }}
  # Without a limit, Java would count the cores of the node.
  - name: CORES
    valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: "1"}}
  - {name: JDK_JAVA_OPTIONS, value: -XX:ActiveProcessorCount=$(CORES)}
  {{- end }}
  {{- with .Values.agents.javaOptions }}
  - {name: PLIMSOLL_JAVA_OPTS, value: {{ . | quote }}}
  {{- end }}
securityContext:
  {{- include "plimsoll.containerSecurity" . | nindent 2 }}
resources:
  {{- toYaml .Values.agents.resources | nindent 2 }}
volumeMounts:
  # A container sees only its own key, even if the volume contains more.
  - {name: certs, mountPath: /certs, subPathExpr: {{ ternary "all" "$(POD_NAME)" (not (empty .Values.certs.secret)) }}, readOnly: true}
  {{- if .Values.agents.payloads }}
  - {name: data, mountPath: /data, readOnly: true}
  {{- end }}
  - {name: tmp, mountPath: /tmp}
{{- end }}
