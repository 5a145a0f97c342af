{{- define "watch.labels" -}}
{{ include "watch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "watch.selector" -}}
app.kubernetes.io/name: plimsoll-watch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
