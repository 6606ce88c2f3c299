"""What runs inside an audited process."""
