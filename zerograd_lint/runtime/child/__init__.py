"""What runs inside an audited process, and the request that it gets."""
