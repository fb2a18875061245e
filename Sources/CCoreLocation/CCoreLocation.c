// A target has at least one source. This one is its module map.
