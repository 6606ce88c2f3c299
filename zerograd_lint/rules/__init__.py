"""One file per rule. Dropping a file here is all it takes to add one."""
