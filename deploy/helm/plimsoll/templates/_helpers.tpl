{{- define "plimsoll.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "plimsoll.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plimsoll.labels" -}}
{{ include "plimsoll.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* Several replicas share only a database and a bucket, so they need these settings. */}}
{{- define "plimsoll.check" -}}
{{- $given := merge dict .Values.settings .Values.secretSettings }}
{{- if and (gt (int .Values.replicas) 1) (not .Values.existingSecret) }}
{{- range $name := list "database" "storage" "secretKey" }}
{{- if not (hasKey $given $name) }}{{ fail (printf "several replicas need the setting %s, in settings, secretSettings or existingSecret" $name) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
