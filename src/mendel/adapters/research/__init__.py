"""Research: curated and live retrieval, and the tools with which a model can look something up."""
