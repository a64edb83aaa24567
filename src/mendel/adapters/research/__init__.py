"""Research: curated and live retrieval, and the tools with which a model may look something up."""
