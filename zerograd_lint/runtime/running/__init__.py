"""Starting programs in audited processes and collecting what became of them."""
