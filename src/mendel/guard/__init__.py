"""The gate: specs, relations, statistics, policies, reports. Empty until the gate lands."""
