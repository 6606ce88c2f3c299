"""The commands `audit` and `verify`: their options, what they run and what they print."""
