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

{{- define "plimsoll.certs" -}}
{{- required (printf "certs.secret: name the secret with the certificates of the fleet; make them with 'plimsoll fleet certs DIR \"*.%s\"' and 'kubectl create secret generic NAME --from-file=DIR/any.%s'" (include "plimsoll.domain" .) (include "plimsoll.domain" .)) .Values.certs.secret -}}
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
