"""Common parts of the launch forms of domains, and the generic form for domains without one."""
