{{/* Names. The release's name is that of the service, and so a part of every certificate: it is used as it is. */}}
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

{{/* The same for every agent: whoever comes first of them begins the fleet, all others join. */}}
{{- define "plimsoll.join" -}}
{{- $root := . -}}
{{- $seeds := list -}}
{{- range $i := until (min 3 (int .Values.agents.replicas) | int) -}}
{{- $seeds = append $seeds (printf "%s-agent-%d.%s:%d" $root.Release.Name $i (include "plimsoll.domain" $root) (int $root.Values.agents.port)) -}}
{{- end -}}
{{- join "," $seeds -}}
{{- end }}

{{/* What the names of the secrets with the pods' certificates begin with. */}}
{{- define "plimsoll.certs" -}}
{{- required (printf "certs.secretPrefix: each pod has a certificate of its own, in a secret called PREFIX-POD; make them with 'plimsoll fleet certs DIR %s-agent-0.%s ... %s-run.%s', see deploy/README.md" .Release.Name (include "plimsoll.domain" .) .Release.Name (include "plimsoll.domain" .)) .Values.certs.secretPrefix -}}
{{- end }}

{{/* The files of one pod's secret; the list of revoked certificates may be missing. Arguments: name of the secret, directory. */}}
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
