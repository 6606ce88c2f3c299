"""Settings, where they are found, and what is kept between runs."""
