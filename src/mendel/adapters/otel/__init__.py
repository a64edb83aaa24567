"""Spans of model calls for OpenTelemetry collectors and Langfuse; needs the extra ``otel``, imported on opening."""
